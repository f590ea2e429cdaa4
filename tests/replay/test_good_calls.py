"""The good calls of a family are those that the history itself would give, in the same order."""

import random
from pathlib import Path

import pytest

from lessons.promote.propose.proposals import ANY, Family, Successes
from lessons.replay import good_calls
from lessons.replay.good_calls import GoodCalls
from lessons.store.history.history import History
from tests.builders.past import Past, failed, home_with

FAMILIES = [
    Family("Bash", "git", ""),
    Family("Bash", "git", ANY),
    Family("Bash", "make", ANY),
    Family("Bash", "gone", ""),
    Family("Bash", "", ""),
    Family("Edit", "", ""),
    Family("mcp__web__open", "", ""),
]


def some_calls(chance: random.Random) -> list[Past]:
    """Of three sessions that overlap; some at the same moment."""
    calls = []
    for number in range(60):
        session, time = f"s{number % 3}", f"2026-09-01T08:00:{chance.randrange(40):02d}.000Z"
        program, tool = chance.choice(["git", "make"]), chance.choice(["Edit", "mcp__web__open"])
        calls.append(Past(command=f"{program} {number}", program=program, session=session, time=time))
        calls.append(Past(tool=tool, arguments={"path": f"/{number}"}, session=session, time=time))
        calls.append(failed(f"git {number}", session=session, time=time))
    return calls


@pytest.mark.parametrize("most", [5, 2000])
def test_the_same_as_the_history_says(most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(good_calls, "MOST_SUCCESSES", most)
    home_with(tmp_path, *some_calls(random.Random(1)))
    with History.for_reading(str(tmp_path)) as history:
        ended: set[str] = set()
        past = history.as_of(ended)
        product = GoodCalls(past)
        for session in ("s1", "s0", "s2"):
            ended.add(session)
            for call in history.calls.of_session(session):
                product.add(call)
            for family in FAMILIES:
                found = [(call.tool_use_id, call.command, call.error) for call in product(family)]
                expected = [(call.tool_use_id, call.command, call.error) for call in Successes(past)(family)]
                assert found == expected[:most]
    assert expected
