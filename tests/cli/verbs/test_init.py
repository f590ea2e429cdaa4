"""`lessons init`: from nothing to the first lessons, with and without a person; again it does nothing twice."""

import json
import subprocess
import time
from pathlib import Path

import pytest

from tests.builders.days import Did, on_day
from tests.builders.mistakes import MISTAKES, write_sessions
from tests.builders.transcript import Session
from tests.cli.command_line import COLUMNS, LESSONS, SECONDS, CommandLine, finish, widest
from tests.cli.transcripts import projects
from tests.cli.walking import decisions, press, records, screen

INSTALL = "Add the hook:    lessons install --agent claude-code"


@pytest.fixture
def elsewhere(lessons: CommandLine) -> Path:
    """Transcripts that do not lie where the agent would leave them."""
    write_sessions(lessons.work / "transcripts")
    return lessons.work / "transcripts"


@pytest.fixture
def own(lessons: CommandLine) -> Path:
    """Transcripts of the agent of this machine."""
    write_sessions(projects(lessons))
    return projects(lessons)


# What it does not do.


def test_wrong_input_is_a_sentence(lessons: CommandLine) -> None:
    assert "--path is empty" in lessons.refused("init", "--path", "")
    ended = lessons("init", "--yes", "--path", "/no/such/folder")
    assert (ended.code, "/no/such/folder does not exist" in ended.error) == (1, True)
    assert "There is no agent 'nobody'" in lessons("init", "--agent", "nobody").error


def test_without_a_terminal_and_without_yes_nothing_is_decided(own: Path, lessons: CommandLine) -> None:
    said = lessons.ok("init")
    assert "21 of them failed" in said
    assert "7 candidates left" in said
    assert (records(lessons), decisions(lessons)) == ([], [])
    assert not lessons.settings.exists()


def test_on_a_machine_without_agents(lessons: CommandLine) -> None:
    said = lessons.ok("init", "--yes")
    assert "Claude Code not found on this machine" in said
    assert "No lesson was created." in said
    assert "No transcripts found. Give their folder with --path." in said
    assert not lessons.settings.exists()


def test_it_says_what_agents_are_asked_for_and_how_to_end_that(own: Path, lessons: CommandLine) -> None:
    assert "#lesson" not in lessons.ok("init", "--yes", "--no-install")
    said = lessons.ok("init", "--yes")
    assert "asked to report its mistakes as `#lesson` tags" in said
    assert "lessons config set lessonProtocol false" in said
    lessons.ok("config", "set", "lessonProtocol", "false")
    assert "#lesson" not in lessons.ok("init", "--yes")
    assert lessons.json("init", "--yes")["lessonProtocol"] is False


def test_yes_leaves_the_settings_alone_where_it_should(own: Path, elsewhere: Path, lessons: CommandLine) -> None:
    (lessons.person / ".codex").mkdir()
    said = lessons.ok("init", "--yes", "--path", str(elsewhere))
    assert "Found Claude Code" in said
    assert "Codex, which is not supported yet." in said
    assert "With --yes and --path ~/.claude/settings.json is not changed" in said
    assert INSTALL in said
    assert "(--no-install)" in lessons.ok("init", "--yes", "--no-install")
    assert not lessons.settings.exists()


def test_a_tag_is_never_promoted_unseen(lessons: CommandLine, elsewhere: Path) -> None:
    for number in range(3):
        session = Session(f"tagged {number}")
        session.prompt("go")
        tag = "problem: make all takes the whole night here\nsolution: run make some, it is enough\ntrigger: make all"
        session.say(f"#lesson\ntool: Bash\n{tag}\ntags: tool:make\n#/lesson")
        session.write(lessons.work / "tagged")
    lessons.ok("init", "--yes", "--path", str(lessons.work / "tagged"))
    assert records(lessons) == []


# What it does.


def test_yes_ends_with_five_lessons_in_shadow_each_with_its_evidence(elsewhere: Path, lessons: CommandLine) -> None:
    said = lessons.ok("init", "--yes", "--path", str(elsewhere)).splitlines()
    stored = records(lessons)
    assert [each["stage"] for each in stored] == ["shadow"] * 5
    for each in stored:
        assert each["occurrenceCount"] == 3
        assert len(each["sourceSessionIds"]) == 3
        assert each["examples"]["fires"]
        assert each["examples"]["quiet"]
        assert f"  {each['slug']} (shadow)" in said
    assert len([line for line in said if "would have fired 3 times in 3 sessions" in line]) == 5
    assert "Decide the rest: lessons review --all   (2 candidates left)" in said
    [line] = [line for line in said if line.startswith("See one fire:")]
    shown = lessons.run(["sh", "-c", line.partition(":")[2]])
    assert (shown.code, "The match is only logged: " in shown.out) == (0, True)


def test_they_fire_on_what_failed_and_are_quiet_on_what_worked(elsewhere: Path, lessons: CommandLine) -> None:
    lessons.ok("init", "--yes", "--path", str(elsewhere))
    fired: set[str] = set()
    for mistake in MISTAKES:
        found = lessons.json("try", mistake.failed.format(11))
        fired.update(each["slug"] for each in found["lessons"])
        assert lessons.json("try", mistake.worked.format(11))["decision"] == "none"
    assert fired == {each["slug"] for each in records(lessons)}


def test_again_it_does_nothing_twice(elsewhere: Path, lessons: CommandLine) -> None:
    lessons.ok("init", "--yes", "--path", str(elsewhere))
    before = (lessons.home / "lessons.json").read_bytes()
    said = lessons.ok("init", "--yes", "--path", str(elsewhere))
    assert "5 lessons from earlier runs are still in use." in said
    assert "nothing new since the last scan" in said
    assert (lessons.home / "lessons.json").read_bytes() == before
    assert len(decisions(lessons)) == 5
    lessons.ok("undo")
    lessons.ok("init", "--yes", "--path", str(elsewhere))
    assert len(records(lessons)) == 5


def test_yes_puts_the_hook_in_where_the_agent_lives(own: Path, lessons: CommandLine) -> None:
    said = lessons.ok("init", "--yes")
    assert "Added the hook to ~/.claude/settings.json. It works" in said
    assert INSTALL not in said
    assert "hooks" in json.loads(lessons.settings.read_text())
    assert "~/.claude/settings.json already has the hook." in lessons.ok("init", "--yes")


def test_settings_that_cannot_be_changed_keep_nobody_from_beginning(own: Path, lessons: CommandLine) -> None:
    lessons.settings.write_text("{ not json")
    said = lessons.ok("init", "--yes")
    assert "settings.json" in said
    assert INSTALL in said
    assert len(records(lessons)) == 5
    assert lessons.settings.read_text() == "{ not json"


def test_as_json_it_is_one_document(elsewhere: Path, lessons: CommandLine) -> None:
    document = lessons.json("init", "--yes", "--path", str(elsewhere))
    assert document["scan"]["calls"]["failed"] == 21
    assert document["hook"]["installed"] is False
    assert len(document["lessons"]) == 5
    assert {each["stage"] for each in document["lessons"]} == {"shadow"}
    assert all(each["try"].startswith("lessons try ") and each["history"] for each in document["lessons"])
    assert (document["before"], document["waiting"]) == ([], 2)


def test_with_a_person_it_asks_and_walks(own: Path, lessons: CommandLine) -> None:
    terminal = lessons.terminal("init")
    terminal.expect(r"Add the hook to ~/.claude/settings.json\?.*\[Y/n\]: ")
    terminal.sendline("n")
    assert any(line.startswith("── 1 of 5 ──") for line in screen(terminal))
    press(terminal, "p")
    press(terminal, "h")
    terminal.send("q")
    code, lines = finish(terminal)
    assert code == 0
    assert [each.get("stage", "active") for each in records(lessons)] == ["active", "shadow"]
    assert "2 new lessons:" in lines
    assert INSTALL in lines
    assert widest([line for line in lines if not line.startswith(("See", "Let"))]) <= COLUMNS
    assert not lessons.settings.exists()


def test_a_person_may_want_the_hook(own: Path, lessons: CommandLine) -> None:
    terminal = lessons.terminal("init")
    terminal.expect(r"\[Y/n\]: ")
    terminal.sendline("")
    screen(terminal)
    terminal.sendintr()
    code, lines = finish(terminal)
    assert (code, "Your decisions are saved. `lessons review` continues from there." in lines) == (130, True)
    assert "hooks" in json.loads(lessons.settings.read_text())


def on_days(lessons: CommandLine, days: int) -> str:
    """A folder with one session a day, all with the same mistake."""
    failed, worked = Did("gh pr diff 7 --stat", "Exit code 1\nunknown flag: --stat"), Did("gh pr diff 7 --name-only")
    for day in range(days):
        on_day(day, failed, worked).write(lessons.work / "days")
    return str(lessons.work / "days")


def test_it_ends_with_what_lessons_would_have_caught(lessons: CommandLine) -> None:
    said = "Had `lessons` been on since September 2026, 2 of 2 repeated mistakes would have been caught"
    arguments = ("init", "--yes", "--path", on_days(lessons, 3))
    assert lessons.ok(*arguments).splitlines()[-2:] == ["", f"{said}, with 0 false alarms."]
    assert lessons.json(*arguments)["headline"] == f"{said}, with 0 false alarms."
    code, lines = finish(lessons.terminal(*arguments))
    assert (code, " ".join(map(str.strip, lines[-2:]))) == (0, f"{said}, with 0 false alarms.")
    assert max(map(len, lines[-2:])) <= COLUMNS


def test_nothing_is_said_where_nothing_was_repeated(lessons: CommandLine) -> None:
    arguments = ("init", "--yes", "--path", on_days(lessons, 1))
    assert "Had `lessons`" not in lessons.ok(*arguments)
    assert lessons.json(*arguments)["headline"] == ""


# Interruptions.


@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_killed_in_the_middle_it_goes_on_the_next_time(number: int, elsewhere: Path, lessons: CommandLine) -> None:
    command = [LESSONS, "init", "--yes", "--path", str(elsewhere)]
    give_up = time.monotonic() + SECONDS
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=lessons.work, env=lessons.environment()) as process:
        while len(records(lessons)) < number and time.monotonic() < give_up:
            time.sleep(0.001)  # lessons.json is valid whenever it is read
        process.kill()
    assert number <= len(records(lessons)) <= 5
    lessons.ok("init", "--yes", "--path", str(elsewhere))
    stored = records(lessons)
    assert len(stored) == 5
    assert len({each["summary"] for each in stored}) == 5
    assert lessons.json("build")["included"] == 5
