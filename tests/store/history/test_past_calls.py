"""Calls by name, by family, and by what a trigger may fire on; only these are read as a whole."""

from collections.abc import Sequence

import msgspec

from lessons.store.history.past_calls import Preview, StoredCall
from tests.builders.past import Past, failed, history_of
from tests.store.history.history import History as Made
from tests.store.history.history import call, history, result
from tests.tables import table


def test_only_what_is_kept_is_read() -> None:
    asked: list[str] = []

    def keep(line: str) -> bool:
        asked.append(line)
        return line != "make 7"

    calls = [Past(command=f"make {number}") for number in range(1_201)]
    with history_of(*calls, *calls, failed("")) as history:
        found = [past.command for past in history.calls.matching("command", keep)]
    assert sorted(asked) == sorted({call.command for call in calls})  # each line once
    assert sorted(found) == sorted(line for line in asked * 2 if line != "make 7")


LINES = ("make", "make all", "make a\0b", "make\nall", "make 'é'", "", "ls")


@table(
    ("preview", "since", "found"),
    [
        ("command", "2027", ()),
        ("error", "", ()),
        ("path", "", ()),
        ("command", "", [line for line in LINES if line]),
        ("tool", "", LINES),
        ("arguments", "", LINES),
    ],
)
def test_calls_with_a_text(preview: Preview, since: str, found: Sequence[str]) -> None:
    """Each is found once, however often its line was run and whatever is in it."""
    with history_of(*(Past(command=line) for line in LINES * 3)) as history:
        rows = list(history.calls.matching(preview, lambda text: True, since))
    assert sorted(past.command for past in rows) == sorted([*found] * 3)
    assert len({past.tool_use_id for past in rows}) == len(rows)


def test_a_call_with_what_came_of_it_and_only_from_a_time_on() -> None:
    late = failed("ls", time="2026-09-02T00:00:00.000Z", project="/p", cwd="/c", session="s7", suspicious=True)
    with history_of(Past(command="ls"), late) as history:
        (past,) = history.calls.matching("tool", lambda tool: True, "2026-09-02")
    assert (past.tool_use_id, past.tool, past.command, past.error) == ("t1", "Bash", "ls", late.error)
    assert (past.cwd, past.project, past.session_id, past.time) == ("/c", "/p", "s7", late.time)
    assert (past.outcome, past.error_fingerprint, past.suspicious, past.path) == ("failed", "f1", 1, "")


def names(calls: list[StoredCall]) -> list[str]:
    return [each.tool_use_id for each in calls]


def calls_of(made: Made, *rows: tuple[str, str, str, str]) -> None:
    """Calls by name, tool, program and sub-command."""
    for number, (name, tool, program, subcommand) in enumerate(rows):
        asked = msgspec.structs.replace(call(name, position=number), tool=tool, program=program, subcommand=subcommand)
        made.write("/a", asked, result(name))


def test_calls_by_name() -> None:
    with history() as made:
        calls_of(made, ("c1", "Bash", "make", ""), ("c2", "Bash", "make", ""))
        found = made.product.calls.named(["c2", "gone", "c1", "c2"])
        assert names(found) == ["c2", "c1"]
        assert (found[0].command, found[0].arguments) == ("make c2", '{"command":"make c2"}')
        assert made.product.calls.named([]) == []


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
        calls = made.product.calls
        assert names(calls.successes_of_program("git", "add")) == ["c4", "c1"]
        assert names(calls.successes_of_program("git", "add", limit=1)) == ["c4"]
        assert calls.successes_of_program("git", "") == []
        # What reads like a failure behind a pipe proves nothing.
        assert calls.successes_of_program("make", "") == []
        assert calls.successes_of_program("", "") == []
        assert names(calls.successes_of_tool("Edit")) == ["c5"]
