"""`lessons forget`: asks before anything goes, says what goes and what stays, and refuses what is not meant."""

import json
import signal
import subprocess

import pytest

from lessons.cli.verbs import history
from lessons.store.running import scanning
from tests.builders.lessons import lesson
from tests.builders.transcript import Session
from tests.cli.command_line import LESSONS, CommandLine, finish
from tests.store.forgettable import INNER, OTHER, SHOP, files_with, kitchen

STAYS = "Your lessons are kept."


@pytest.fixture
def read(lessons: CommandLine) -> CommandLine:
    """A home that has read three sessions."""
    kitchen(lessons.work / "projects")
    lessons.ok("scan", "--path", str(lessons.work / "projects"))
    return lessons


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ([], 2, "Give exactly one of --project, --session and --before."),
        (["--project", SHOP, "--before", "1d"], 2, "Give exactly one of --project, --session and --before."),
        (["--project", ""], 1, "--project is empty: give what to delete."),
        (["--session", " "], 1, "--session is empty"),
        (["--before", ""], 2, "is not a date"),
        (["--before", "2999-01-01"], 1, "which is in the future"),
        (["--before", "2020-01-01", "--yes"], 1, "No data from before 2020-01-01"),
        (["--project", ".", "--yes"], 1, "Unknown project /"),
        (["--project", "/home/somebody/sho", "--yes"], 1, "Unknown project /home/somebody/sho."),
        (["--session", "abc"], 1, "The session 'abc' is too short: write at least 6 characters of its id."),
        (["--session", "nobody", "--yes"], 1, "No session begins with 'nobody'"),
        (["--session", Session("thyme").id, "--json"], 1, "Add --yes, or --dry-run to see what would be deleted."),
    ],
)
def test_what_is_refused(arguments: list[str], code: int, sentence: str, read: CommandLine) -> None:
    assert sentence in read.refused("forget", *arguments, code=code)
    assert set(files_with(read.home, "saffron", "thyme")["history.db"]) == {"saffron", "thyme"}


def test_without_a_terminal_it_says_what_would_go_and_keeps_it(read: CommandLine) -> None:
    for arguments in ([], ["--dry-run"]):
        ended = read("forget", "--project", SHOP, *arguments)
        assert ended.code == (0 if arguments else 1)
        assert "calls" in ended.out
        assert ("this was a dry run" if arguments else "Add --yes") in ended.error
    assert "history.db" in files_with(read.home, "saffron")


def test_as_json_with_the_lessons_and_the_others_kept(read: CommandLine) -> None:
    record = lesson(summary="Saffron comes last, after the butter")
    read.ok("add", "--from", "-", text=json.dumps(record))
    would = read.json("forget", "--session", Session("saffron").id[:8], "--dry-run")
    done = read.json("forget", "--session", Session("saffron").id[:8], "--yes")
    assert done == {**would, "dryRun": False}
    assert done["forgotten"]["calls"] == 3
    assert done["forgotten"]["prompts"] == done["forgotten"]["sessions"] == 1
    assert (done["backups"], done["damaged"], done["first"][:10]) == (0, [], "2026-09-01")
    assert "history.db" not in files_with(read.home, "saffron")
    assert "lessons.json" in files_with(read.home, "saffron")
    read.ok("scan", "--full", "--path", str(read.work / "projects"))
    assert "history.db" not in files_with(read.home, "saffron")
    assert "history.db" in files_with(read.home, "thyme")
    again = read.refused("forget", "--session", Session("saffron").id, "--yes")
    assert f"Nothing is stored about the session {Session('saffron').id}: it was deleted earlier." in again


def test_what_is_gone_already_is_not_called_unknown(read: CommandLine) -> None:
    read.json("forget", "--project", SHOP, "--yes")
    for folder in (SHOP, INNER):
        again = read.refused("forget", "--project", folder, "--yes")
        assert f"Nothing is stored about the project {folder}: it was deleted earlier." in again
    assert "Unknown project /elsewhere." in read.refused("forget", "--project", "/elsewhere", "--yes")


def test_on_a_terminal_it_shows_what_goes_and_asks(read: CommandLine) -> None:
    damaged = read.home / "history.db.damaged-20260901T000000Z"
    damaged.write_bytes(b"saffron")
    terminal = read.terminal("forget", "--project", OTHER)
    terminal.expect_exact("Delete this permanently? [y/N]: ")
    assert isinstance(terminal.before, str)
    for word in ("calls", "prompts", "sessions", "2026-09-01 08:00:00", "is damaged and cannot be cleaned"):
        assert word in terminal.before
    terminal.sendline("n")
    code, lines = finish(terminal)
    assert (code, lines[-1]) == (1, "Nothing was deleted.")
    assert "history.db" in files_with(read.home, "thyme")
    terminal = read.terminal("forget", "--project", OTHER, "--damaged-too")
    terminal.expect_exact("[y/N]: ")
    terminal.sendline("y")
    code, lines = finish(terminal)
    assert code == 0
    assert f"Deleted. {STAYS}" in " ".join(lines)
    assert not damaged.exists()
    assert files_with(read.home, "thyme") == {}


def test_it_waits_for_a_scan_until_it_is_done_or_the_person_stops_waiting(read: CommandLine) -> None:
    command = [LESSONS, "forget", "--project", OTHER, "--yes"]
    for is_stopped in (True, False):
        with scanning(str(read.home)):
            waiting = subprocess.Popen(command, stderr=subprocess.PIPE, env=read.environment(), text=True)
            assert waiting.stderr is not None
            assert waiting.stderr.readline() == "A scan is running: waiting until it is done.\n"
            assert waiting.poll() is None and "history.db" in files_with(read.home, "thyme")
            if is_stopped:
                waiting.send_signal(signal.SIGINT)
                assert waiting.communicate(timeout=60)[1] == "Interrupted.\n"
        waiting.communicate(timeout=60)
        assert waiting.returncode == (130 if is_stopped else 0)
    assert files_with(read.home, "thyme") == {}


def test_it_does_not_wait_for_ever(read: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_LONGEST_WAIT", 0.1)
    with scanning(str(read.home)):
        error = read.refused("forget", "--project", OTHER, "--yes")
    assert error.endswith("A scan is still running, and nothing was deleted: try again when it is done.\n")
    assert "history.db" in files_with(read.home, "thyme")
