"""Candidates come with all their evidence, calls by name and by family; what was decided or forgotten does not."""

import msgspec

from lessons.store.history import queue
from lessons.store.history.queue import StoredCall
from tests.builders.candidates import Seen, put
from tests.store.history.history import History, call, history, result


def names(calls: list[StoredCall]) -> list[str]:
    return [each.tool_use_id for each in calls]


def calls_of(made: History, *rows: tuple[str, str, str, str]) -> None:
    """Calls by name, tool, program and sub-command."""
    for number, (name, tool, program, subcommand) in enumerate(rows):
        asked = msgspec.structs.replace(call(name, position=number), tool=tool, program=program, subcommand=subcommand)
        made.write("/a", asked, result(name))


def test_what_a_person_decided_on_and_what_rests_on_nothing_does_not_wait() -> None:
    with history() as made:
        for status in ("promoted", "archived", "merged"):
            put(made.connection, status, status=status)
        put(made.connection, "without", seen=[])
        assert queue.candidates(made.connection) == []
        assert [each.fingerprint for each in queue.candidates(made.connection, "archived")] == ["archived"]


def test_every_occurrence_the_oldest_first() -> None:
    with history() as made:
        seen = [Seen("s2", time="t2", failed="c2", fixed="c3"), Seen("s1", time="t1", failed="c1", uuid="")]
        put(made.connection, "b", seen=seen, tier=3, kind="correction", confidence=0.6)
        put(made.connection, "a", seen=[Seen("s9")] * 1)
        first, second = queue.candidates(made.connection)
        assert (first.fingerprint, second.fingerprint) == ("a", "b")
        assert (second.tier, second.kind, second.confidence) == (3, "correction", 0.6)
        assert [(each.time, each.tool_use_id, each.fix_tool_use_id) for each in second.evidence] == [
            ("t1", "c1", ""),
            ("t2", "c2", "c3"),
        ]


def test_calls_by_name() -> None:
    with history() as made:
        calls_of(made, ("c1", "Bash", "make", ""), ("c2", "Bash", "make", ""))
        found = queue.calls_named(made.connection, ["c2", "gone", "c1", "c2"])
        assert names(found) == ["c2", "c1"]
        assert (found[0].command, found[0].arguments) == ("make c2", '{"command":"make c2"}')
        assert queue.calls_named(made.connection, []) == []


def test_the_successes_of_a_family_and_no_others() -> None:
    with history() as made:
        calls_of(
            made,
            ("c1", "Bash", "git", "add"),
            ("c2", "Bash", "git", "commit"),
            ("c3", "Bash", "", ""),
            ("c4", "Bash", "git", "add"),
            ("c5", "Edit", "", ""),
        )
        made.write("/a", call("c6", position=6), result("c6", "failed", error="no"))
        made.write("/a", call("c7", position=7), call("c8", position=8, hides_exit=True))
        made.write("/a", result("c8", error="error: x", suspicious=True))
        connection = made.connection
        assert names(queue.successes_of_program(connection, "git", "add")) == ["c4", "c1"]
        assert names(queue.successes_of_program(connection, "git", "add", limit=1)) == ["c4"]
        assert queue.successes_of_program(connection, "git", "") == []
        # What a pipe may have hidden counts as it was reported.
        assert names(queue.successes_of_program(connection, "make", "")) == ["c8"]
        assert queue.successes_of_program(connection, "", "") == []
        assert names(queue.successes_of_tool(connection, "Edit")) == ["c5"]
