"""The good calls that a mistake is compared with do not depend on what was asked for before."""

from collections.abc import Sequence

from lessons.match.call import ToolCall
from lessons.promote.past_call import call_of
from lessons.promote.propose.compared import Compared
from lessons.promote.propose.families import ANY, Family, Successes, families_of
from lessons.promote.propose.good_calls import GoodCalls
from lessons.promote.propose.heads import beginnings
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall
from tests.builders.past import Past, failed, history_of

GOOD = [
    Past(command="git push", program="git"),
    Past(command="git log", program="git"),
    Past(command="cd a && git push web", program="git"),
    Past(command="make", program="make"),
    Past(command="make && git push", program="make"),
    Past(tool="Edit", arguments={"file_path": "/a"}, program=""),
]
ERROR = "Exit code 1\nerror: unknown option"
WRONG = [
    failed("git push --x", ERROR, program="git"),
    failed("git log --x", ERROR, program="git"),
    failed("make --x", ERROR, program="make"),
    failed("git push --y && make", ERROR, program="git"),
    failed("", ERROR, tool="Edit", arguments={"file_path": "/b"}),
    failed("wget a", ERROR, program="wget"),
]


def one_by_one(history: History, rows: Sequence[StoredCall], calls: Sequence[ToolCall]) -> tuple[list[str], list[str]]:
    """The same without anything that is remembered."""
    found = [good for family in families_of(rows) for good in Successes(history)(family)]
    known = {good.tool_use_id for good in found}
    family, others = [good.tool_use_id for good in found], list[str]()
    begins = beginnings(calls)
    for program in dict.fromkeys(begin[0] for begin in begins):
        for good in Successes(history)(Family("Bash", program, ANY)):
            if good.tool_use_id not in known:
                line = good.call().command or ""
                is_family = any(len(begin) > 1 and " ".join(begin) in line for begin in begins)
                (family if is_family else others).append(good.tool_use_id)
                known.add(good.tool_use_id)
    return family, others


def names(calls: GoodCalls) -> list[str]:
    return [good.tool_use_id for good in calls]


def test_the_same_whatever_was_asked_for_before() -> None:
    with history_of(*GOOD, *WRONG) as history:
        compared = Compared(Successes(history))
        wrong = [f"t{len(GOOD) + number}" for number in range(len(WRONG))]
        mistakes = [[name] for name in wrong] + [wrong[:2], wrong[:3], [wrong[2], wrong[4]], wrong]
        seen = set()
        for mistake in [*mistakes, *reversed(mistakes)]:
            rows = history.calls.named(mistake)
            calls = [call_of(row) for row in rows]
            family, others = compared(rows, calls)
            expected = one_by_one(history, rows, calls)
            assert (names(family), names(others)) == expected
            seen.add((tuple(expected[0]), tuple(expected[1])))
    assert len(seen) > 4
    assert any(family and others for family, others in seen)


def test_mistakes_of_one_family_share_their_calls() -> None:
    with history_of(*GOOD, *WRONG) as history:
        compared = Compared(Successes(history))
        found = []
        for name in (f"t{len(GOOD)}", f"t{len(GOOD) + 2}", f"t{len(GOOD)}"):
            rows = history.calls.named([name])
            found.append(compared(rows, [call_of(row) for row in rows]))
    assert found[0][0] is found[2][0]
    assert found[0][1] is found[2][1]
    assert found[0][0] is not found[1][0]
