"""The cached calls equal what the history itself returns, in the same order."""

import random
from pathlib import Path

import pytest

from lessons.mistakes.good_calls import GoodCalls
from lessons.promote.proposals import ANY, Family, Successes
from lessons.replay import learner
from lessons.replay.learner import CallsSoFar
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
    """Of three sessions that overlap; some at the same moment, some that only look as if they had gone well."""
    calls = []
    for number in range(60):
        session, time = f"s{number % 3}", f"2026-09-01T08:00:{chance.randrange(40):02d}.000Z"
        program, tool = chance.choice(["git", "make"]), chance.choice(["Edit", "mcp__web__open"])
        line, doubtful = f"{program} {number % 40}", number % 7 == 0
        calls.append(Past(command=line, program=program, session=session, time=time, suspicious=doubtful))
        calls.append(Past(tool=tool, arguments={"path": f"/{number}"}, session=session, time=time))
        calls.append(failed(f"git {number}", session=session, time=time))
        calls.append(failed(f"git {number}", "", session=session, time=time))
    return calls


def told(calls: GoodCalls) -> list[tuple[str, str, str | None, str | None]]:
    return [(good.tool_use_id, good.text, good.call().command, good.call().error) for good in calls]


@pytest.mark.parametrize("most", [5, 20_000])
def test_the_same_as_the_history_says(most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MOST_SUCCESSES", "MOST_FAILURES"):
        monkeypatch.setattr(learner, name, most)
    home_with(tmp_path, *some_calls(random.Random(1)))
    with History.for_reading(str(tmp_path)) as history:
        ended: set[str] = set()
        past, so_far = history.as_of(ended), history.as_of(ended, CallsSoFar)
        product = so_far.calls
        assert isinstance(product, CallsSoFar)
        for session in ("s1", "s0", "s2"):
            ended.add(session)
            product.add(history.calls.of_session(session))
            for family in FAMILIES:
                found, expected = told(product.successes_in(family)), told(Successes(past)(family))
                assert found == expected[:most]
            assert expected
            assert product.successes_of_program("git", "", 3) == past.calls.successes_of_program("git", "", 3) != []
            of_make = product.successes_with_any_subcommand("make", 3)
            assert of_make == past.calls.successes_with_any_subcommand("make", 3) != []
            assert product.successes_of_tool("Edit", 3) == past.calls.successes_of_tool("Edit", 3) != []
            assert product.newest_failures(most) == past.calls.newest_failures(most) != []
