"""A history as it was at a moment: no method may tell of a call whose session had not ended by then."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCalls
from tests.builders.past import Past, failed, history_of
from tests.tables import table

EARLIER, LATER = "2026-09-01T08:00:00.000Z", "2026-09-02T08:00:00.000Z"
IDS = ["t0", "t1", "t2", "t3"]
# What each method says of two calls in each of two sessions, about one session alone.
QUESTIONS: dict[str, Callable[[PastCalls], object]] = {
    "count": lambda calls: calls.count(),
    "count_failed": lambda calls: calls.count_failed(),
    "named": lambda calls: [each.tool_use_id for each in calls.named(IDS)],
    "count_named": lambda calls: calls.count_named(IDS),
    "error_fingerprints": lambda calls: calls.error_fingerprints(IDS),
    "successes_of_program": lambda calls: [each.tool_use_id for each in calls.successes_of_program("make", "")],
    "successes_with_any_subcommand": lambda calls: [
        each.tool_use_id for each in calls.successes_with_any_subcommand("make")
    ],
    "successes_of_tool": lambda calls: [each.tool_use_id for each in calls.successes_of_tool("Bash")],
    "newest_failures": lambda calls: [each.tool_use_id for each in calls.newest_failures()],
    "failed": lambda calls: [each.tool_use_id for each in calls.failed()],
    "matching": lambda calls: [each.tool_use_id for each in calls.matching("tool", lambda tool: True)],
    "matching lines": lambda calls: sorted(each.tool_use_id for each in calls.matching("command", lambda line: True)),
    "time_span": lambda calls: calls.time_span(),
    "tally": lambda calls: [(outcome, number) for _, outcome, number in calls.tally()],
}
OF_THE_FIRST: dict[str, object] = {
    "count": 2,
    "count_failed": 1,
    "named": ["t0", "t1"],
    "count_named": 2,
    "error_fingerprints": {"f1"},
    "successes_of_program": ["t0"],
    "successes_with_any_subcommand": ["t0"],
    "successes_of_tool": ["t0"],
    "newest_failures": ["t1"],
    "failed": ["t1"],
    "matching": ["t0", "t1"],
    "matching lines": ["t0", "t1"],
    "time_span": (EARLIER, EARLIER),
    "tally": [("failed", 1), ("ok", 1)],
}


def two_sessions() -> AbstractContextManager[History]:
    return history_of(
        Past(command="make a", program="make", session="s1", time=EARLIER),
        failed("make b", session="s1", time=EARLIER),
        Past(command="make c", program="make", session="s2", time=LATER),
        failed("make d", session="s2", time=LATER, fingerprint="f2"),
    )


@table("name", QUESTIONS)
def test_no_call_of_a_session_that_goes_on(name: str) -> None:
    with two_sessions() as history:
        ended: set[str] = set()
        past = history.as_of(ended).calls
        assert QUESTIONS[name](past) in (0, [], set(), ("", ""))
        ended.add("s1")
        assert QUESTIONS[name](past) == OF_THE_FIRST[name]
        ended.add("s2")
        assert QUESTIONS[name](past) == QUESTIONS[name](history.calls) != OF_THE_FIRST[name]


def test_every_method_that_tells_of_calls_is_asked_here() -> None:
    public = {name for name in vars(PastCalls) if not name.startswith("_")}
    # These are asked about one session, one message, or rows that a scan has just written; and by `learn`, which has
    # no use for an earlier time.
    of_learn = {"past", "projects_of", "tokens_of", "worked_with"}
    assert public - QUESTIONS.keys() - of_learn == {"of_session", "in_a_message_with_cd", "numbered", "outcomes"}


def test_the_calls_of_one_session_in_their_order() -> None:
    with two_sessions() as history:
        assert [each.tool_use_id for each in history.calls.of_session("s2")] == ["t2", "t3"]
        assert history.calls.of_session("s9") == []
        (ok, wrong) = history.calls.of_session("s1")
    assert (ok.command, ok.outcome, ok.program, ok.agent_id, ok.time) == ("make a", "ok", "make", "", EARLIER)
    assert (wrong.outcome, wrong.suspicious, wrong.has_error, ok.has_error) == ("failed", 0, 1, 0)


@pytest.mark.parametrize("unknown", ["first_time", "last_time"])
def test_from_when_to_when_a_session_lasted(unknown: str) -> None:
    with two_sessions() as history:
        assert [(each.session_id, each.start, each.end) for each in history.sessions.spans()] == [
            ("s1", EARLIER, EARLIER),
            ("s2", LATER, LATER),
        ]
        history._connection.execute(f"UPDATE sessions SET {unknown} = '' WHERE session_id = 's1'")
        assert [each.session_id for each in history.sessions.spans()] == ["s2"]
