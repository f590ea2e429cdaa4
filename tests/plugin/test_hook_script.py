"""The plugin's commands as the client runs them: they exit 0 whatever is missing, and act once set up."""

import os
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest

from lessons.continuity.restore import SUMMARISER_WORDS
from lessons.promote.publish.build import publish
from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.builders.payloads import bash
from tests.builders.transcript import Session
from tests.plugin.machine import EVENTS, Ended, Machine, copy_plugin, wait_until
from tests.shells import program
from tests.sizes import size

BEING_SET_UP = "lessons is being set up in the background"
BROKEN = "gone or broken"
CANNOT_START = "The lessons hook cannot start"


# One event for each way through the scripts, or all.
TRIED = EVENTS if size("EVERY_SHELL", 0) else ("PreToolUse", "SessionStart", "PreCompact", "Stop")


@pytest.fixture
def fresh(tmp_path: Path) -> Machine:
    """Nothing is set up, and setting up is only noted."""
    return with_noted_setup(Machine(tmp_path, has_package=False))


def with_noted_setup(machine: Machine) -> Machine:
    script = machine.root / "setup" / "setup.sh"
    script.write_text(f"echo started >>'{machine.order}'\nwhile [ -e '{machine.order}.wait' ]; do :; done\n")
    return machine


def starts(machine: Machine, count: int) -> bool:
    return machine.order.exists() and len(machine.order.read_text().splitlines()) == count


def assert_harmless(machine: Machine, is_told: bool = False, **more: str) -> Ended:
    """Exit 0 at every event; to the person alone a session that starts may speak, and one other event in all."""
    told = []
    for event in (*TRIED, *(event for event in TRIED if event != "SessionStart")):
        ended = machine.hook(event, None, **more)
        assert ended.code == 0, (event, ended)
        assert set(ended.document) <= {"systemMessage"}, (event, ended)
        if event == "SessionStart":
            greeting = ended
        elif ended.out:
            told.append((event, ended.message))
    assert [event for event, message in told if CANNOT_START in message] == [event for event, _ in told]
    assert [event for event, _ in told] == (["PreToolUse"] if is_told else [])
    return greeting


def publish_lesson(machine: Machine) -> None:
    home = DataHome(machine.folder / "author")
    home.write(lesson())
    shutil.copy(home.folder / "lessons.json", machine.lessons)
    publish(str(machine.lessons))


def acts(machine: Machine, **more: str) -> bool:
    return "Stash with -u" in machine.hook("PreToolUse", bash("git stash"), **more).out


def test_nothing_set_up_yet(fresh: Machine) -> None:
    assert assert_harmless(fresh).message.startswith(BEING_SET_UP)
    wait_until(lambda: starts(fresh, 1))


def test_the_session_does_not_wait_and_the_setup_outlives_it(fresh: Machine) -> None:
    wait = Path(f"{fresh.order}.wait")
    wait.touch()
    script = fresh.root / "setup" / "setup.sh"
    script.write_text(f"echo $$ >'{fresh.order}.pid'\n{script.read_text()}echo finished >>'{fresh.order}'\n")
    assert fresh.hook("SessionStart").message.startswith(BEING_SET_UP)
    wait_until(lambda: starts(fresh, 1))
    process = int(Path(f"{fresh.order}.pid").read_text())
    assert os.getsid(process) != os.getsid(0)
    wait.unlink()
    wait_until(lambda: starts(fresh, 2))


@pytest.mark.parametrize("gone", [".", "hooks/hook.sh", "hooks/start.sh", "setup"])
@pytest.mark.parametrize("is_ready", [False, True], ids=["fresh", "set up"])
def test_a_part_of_the_plugin_is_gone(fresh: Machine, gone: str, is_ready: bool) -> None:
    machine = fresh
    if is_ready:
        (machine.data / "installation").write_text("0\n/bin/false\n/dev/null\n/bin/false\n/nowhere\n")
    part = machine.root / gone
    shutil.rmtree(part) if part.is_dir() else part.unlink()
    assert_harmless(machine, is_told=is_ready and gone not in (".", "hooks/hook.sh"))


@pytest.mark.parametrize("content", ["if then ((", "exit 2", "set -e; false"])
@pytest.mark.parametrize("name", ["hook.sh", "start.sh"])
def test_a_damaged_script(fresh: Machine, name: str, content: str) -> None:
    (fresh.root / "hooks" / name).write_text(content)
    assert_harmless(fresh)


DAMAGED = {
    "empty": "",
    "one line": "0.1.0\n",
    "no end": "0.1.0\n/bin/false\n/dev/null\n/bin/false\n/nowhere",
    "nothing there": "0.1.0\n/nowhere/python\n/nowhere/entry.py\n/nowhere/python\n/nowhere\n",
    "folders": "0.1.0\n/\n/\n/\n/\n",
    "noise": "\x01\x02\n\n\n\n\n\n",
    "options": "-n\n-n\n-n\n-n\n-n\n",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_installation(fresh: Machine, name: str) -> None:
    (fresh.data / "installation").write_text(DAMAGED[name])
    assert assert_harmless(fresh, is_told=name in ("nothing there", "folders", "noise", "options")).message
    wait_until(lambda: starts(fresh, 1))


def test_a_client_without_data_folders_is_named(fresh: Machine) -> None:
    assert "update it" in assert_harmless(fresh, CLAUDE_PLUGIN_DATA="").message


def test_a_folder_that_cannot_be_written_is_told() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        root, data = Path(folder, "plugin"), Path(folder, "data")
        copy_plugin(root)
        data.mkdir(mode=0o555)
        for place in (Path(folder), *Path(folder).rglob("*")):
            place.chmod(place.stat().st_mode | stat.S_IRGRP | stat.S_IROTH | (0o111 if place.is_dir() else 0))
        command = f'CLAUDE_PLUGIN_ROOT={root} CLAUDE_PLUGIN_DATA={data} event=SessionStart; . "{root}/hooks/hook.sh"'
        nobody = 65534 if os.geteuid() == 0 else None
        done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, user=nobody)
    assert (done.returncode, done.stderr) == (0, "")
    assert "cannot be written" in done.stdout


def test_a_failure_is_told_once_and_tried_again_each_time(fresh: Machine) -> None:
    (fresh.data / "failed").write_text("lessons could not be set up: no network. The next session tries again.\n")
    assert "no network" in fresh.hook("SessionStart").message
    assert fresh.hook("SessionStart").out == ""
    wait_until(lambda: starts(fresh, 2))
    (fresh.data / "failed").write_text("lessons could not be set up: no room. The next session tries again.\n")
    assert "no room" in fresh.hook("SessionStart").message
    assert fresh.hook("SessionStart").out == ""


def test_switched_off_it_does_nothing_at_all(fresh: Machine) -> None:
    assert assert_harmless(fresh, LESSONS_DISABLE="1").out == ""
    assert fresh.hook("SessionStart", LESSONS_DISABLE="0").message
    wait_until(lambda: starts(fresh, 1))


def test_it_acts_once_it_is_set_up(ready: Machine) -> None:
    publish_lesson(ready)
    assert acts(ready)
    greeting = ready.hook("SessionStart")
    assert list(greeting.document) == ["hookSpecificOutput"]
    assert "#lesson" in greeting.out
    assert "#lesson" in ready.hook("SubagentStart").out


def test_it_keeps_what_a_session_was_doing(ready: Machine) -> None:
    session = Session("one", cwd=str(ready.folder))
    session.result(session.call("Bash", {"command": "make everything"}), "made")
    payload: dict[str, object] = {
        "session_id": session.id,
        "transcript_path": str(session.write(ready.folder / "projects")),
        "cwd": str(ready.folder),
    }
    assert ready.hook("PreCompact", payload) == Ended(0, SUMMARISER_WORDS, "")
    assert "make everything" in ready.hook("SessionStart", {**payload, "source": "compact"}).out
    assert ready.hook("Stop", payload) == ready.hook("SessionEnd", payload) == Ended(0, "", "")
    wait_until(lambda: "session-end" in ready.command_line("handoff", "list", "--cwd", str(ready.folder)).out)


def test_codex_gets_answers_in_its_own_words(ready: Machine) -> None:
    """It names the plugin's folder in a variable of its own too, and takes no words before a compaction."""
    publish_lesson(ready)
    codex = {"PLUGIN_ROOT": str(ready.root)}
    assert ready.hook("PreCompact", None, **codex) == Ended(0, "", "")
    assert ready.hook("PreCompact", PLUGIN_ROOT="/elsewhere").out == SUMMARISER_WORDS
    assert acts(ready, **codex)


def test_no_home_of_a_project_wins(ready: Machine) -> None:
    for name, home in enumerate((ready.folder / "other", "")):
        (ready.folder / "other" / "fired").mkdir(parents=True, exist_ok=True)
        ready.hook("SubagentStart", LESSONS_HOME=str(home))
        assert (ready.lessons / "fired" / "SubagentStart").exists(), name
    assert list((ready.folder / "other" / "fired").iterdir()) == []


def test_an_old_version_serves_until_the_new_one_is_ready(ready: Machine) -> None:
    publish_lesson(ready)
    with_noted_setup(ready).raise_version()
    greeting = ready.hook("SessionStart")
    assert list(greeting.document) == ["hookSpecificOutput"]
    wait_until(lambda: starts(ready, 1))
    assert acts(ready)
    (ready.data / "failed").write_text("lessons could not be set up: no network.\n")
    both = ready.hook("SessionStart").document
    assert "no network" in both["systemMessage"]
    assert "#lesson" in both["hookSpecificOutput"]["additionalContext"]


def test_a_user_whose_shell_is_zsh(ready: Machine) -> None:
    """Codex runs hooks in the user's own shell, under its own name."""
    with_noted_setup(ready).raise_version()
    (ready.data / "failed").write_text("lessons could not be set up: no network.\n")
    ready.sh = program("zsh")
    ended = ready.hook("SessionStart", PLUGIN_ROOT=str(ready.root))
    assert ended.err == ""
    assert "no network" in ended.message
    assert "#lesson" in ended.out


def test_the_installation_goes_away_in_the_middle_of_a_session(ready: Machine) -> None:
    with_noted_setup(ready)
    shutil.rmtree(ready.data / "versions")
    assert BROKEN in assert_harmless(ready, is_told=True).message
    wait_until(lambda: starts(ready, 1))
    shutil.rmtree(ready.data)
    assert assert_harmless(ready).message.startswith(BEING_SET_UP)


@pytest.mark.parametrize("body", ["exit 2", "echo no >&2; exit 2", "kill -SEGV $$", "exec <&- >&-; exit 2"])
def test_the_interpreter_breaks(ready: Machine, body: str) -> None:
    with_noted_setup(ready)
    ready.program("base", body, ready.folder / "base")
    assert BROKEN in assert_harmless(ready, is_told=True).message
    wait_until(lambda: starts(ready, 1))


def test_the_command_line_says_what_is_the_matter(fresh: Machine) -> None:
    machine = fresh
    ended = machine.command_line("list")
    assert (ended.code, ended.out) == (1, "")
    assert "not set up yet" in ended.err
    (machine.data / "failed").write_text("lessons could not be set up: no network.\n")
    assert machine.command_line("list").err == "lessons could not be set up: no network.\n"


def test_the_command_line_finds_the_installation_by_itself(ready: Machine) -> None:
    ended = ready.command_line("list", "--json", CLAUDE_PLUGIN_DATA="")
    assert ended.document == {"lessons": []}
