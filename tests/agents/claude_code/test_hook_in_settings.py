"""Whether the user's settings file already runs the hook: only exactly what `install` writes counts."""

import json
import os
import tempfile
import threading
from pathlib import Path

import pytest

from lessons.agents.claude_code.install import INSTALLER
from lessons.agents.hook_command import entry_file
from lessons.agents.hook_lines import in_settings, line_of
from lessons.agents.table import AGENTS
from tests.builders.home import written_line
from tests.conftest import SetVariable
from tests.tables import table

# Files that are there.
ENTRY = entry_file()
PYTHON = "/bin/sh"
HOME = tempfile.mkdtemp(prefix="lessons-settings-")
COMMAND = written_line("PreToolUse", PYTHON, ENTRY, HOME)
FALLBACK = line_of("PreToolUse", HOME, is_beside=True)
# What versions before the script wrote.
BEFORE = (
    "trap 'exit 0' EXIT; trap '' PIPE; trap : INT; LESSONS_HOME='/h'; export LESSONS_HOME; "
    f"""python='{PYTHON}'; entry='{ENTRY}'; answer=; eval 'answer=$("$python" -I -S "$entry" PreToolUse)'; exit 0"""
)


@pytest.fixture
def files(tmp_path: Path, variable: SetVariable) -> list[Path]:
    """The settings files that the client reads, the person's first, each in a folder of its own."""
    person, project = tmp_path / "person", tmp_path / "project"
    for folder in (person, project / ".claude"):
        folder.mkdir(parents=True)
    variable("CLAUDE_CONFIG_DIR", str(person))
    variable("CLAUDE_PROJECT_DIR", str(project))
    return [
        person / "settings.json",
        project / ".claude" / "settings.json",
        project / ".claude" / "settings.local.json",
    ]


def handlers(*handlers: object, event: str = "PreToolUse") -> str:
    return json.dumps({"hooks": {event: [{"matcher": "*", "hooks": list(handlers)}]}})


def command(line: str, **more: object) -> str:
    return handlers({"type": "command", "command": line, **more})


ABSENT = {
    "no hooks": "{}",
    "another hook": command("/opt/other/hook.sh"),
    "a file of ours that is read": '{"permissions": {"allow": ["Bash(cat src/lessons/hook/entry.py)"]}}',
    "another event": handlers({"type": "command", "command": COMMAND}, event="SessionStart"),
    "the line of another event": command(line_of("SubagentStart", HOME)),
    "a server": handlers({"type": "mcp_tool", "server": "lessons", "tool": "hook"}),
    "a word": command("echo lessons"),
    "the verb": command("lessons hook PreToolUse"),
    "the verb of a module": command("exec python -m lessons hook PreToolUse"),
    "the entry file": command(f"x={ENTRY}; python -I -S $x PreToolUse; exit 0"),
    "in quotes": command(f'python "{ENTRY}" PreToolUse'),
    "from a variable": command("$HOME/lessons/hook/entry.py PreToolUse"),
    "of Windows": command(ENTRY.replace("/", "\\") + " PreToolUse"),
    "a comment": command(f": # {COMMAND}"),
    "something before it": command(f"exit 0; {COMMAND}"),
    "something after it": command(f"{COMMAND} "),
    "something in it": command(COMMAND.replace("; [", "; exit 0; [", 1)),
    "a path that runs something": command(COMMAND.replace(HOME, "'$(exit 0)'")),
    "a path without quotes": command(COMMAND.replace("'" + HOME, HOME)),
    "as a word of another shell": handlers({"type": "command", "command": "/bin/echo", "args": ["-c", COMMAND]}),
    "with more words": handlers({"type": "command", "command": "/bin/sh", "args": ["-c", COMMAND, "x"]}),
    "as another option": handlers({"type": "command", "command": "/bin/sh", "args": ["-n", COMMAND]}),
    "with words that are not used": command(COMMAND, args=["-c", "exit 0"]),
    "arguments alone": handlers({"type": "command", "args": ["-c", COMMAND]}),
    "of another type": handlers({"type": "prompt", "command": COMMAND}),
    "without a type": handlers({"command": COMMAND}),
    "a script that is gone": command(line_of("PreToolUse", "/gone")),
    "an entry that is gone": command(written_line("PreToolUse", PYTHON, "/gone.py", f"{HOME}/1")),
    "a Python that is gone": command(written_line("PreToolUse", "/gone/python", ENTRY, f"{HOME}/2")),
    "of another agent": command(line_of("PreToolUse", HOME, "codex")),
    "an older line with an entry that is gone": command(BEFORE.replace(ENTRY, "/gone.py")),
    "broken": command(COMMAND)[:-3],
    "not UTF-8": "\udcff lessons",
    "nested deeply": '{"lessons":' + "[" * 100_000,
    "empty": "",
    "a list": "[]",
    "odd hooks": '{"hooks": {"PreToolUse": "lessons"}}',
    "odd groups": '{"hooks": {"PreToolUse": [null, 1, {"hooks": "lessons"}, {"hooks": null}]}}',
    "odd handlers": handlers(None, "lessons", {"command": 1, "args": 2}),
}
PRESENT = {
    "the line": command(COMMAND),
    "with a time limit of the person's": command(COMMAND, timeout=1),
    "behind a server": handlers({"type": "command", "command": "/bin/sh", "args": ["-c", FALLBACK]}),
    "behind a server, as a line": command(FALLBACK),
    "of an older version": command(BEFORE),
    "among others": handlers({"type": "command", "command": "true"}, {"type": "command", "command": COMMAND}),
    "a byte order mark": "\ufeff" + command(COMMAND),
}


@pytest.mark.parametrize("name", ABSENT)
def test_what_does_not_run_the_hook(files: list[Path], name: str) -> None:
    for file in files:
        file.write_bytes(ABSENT[name].encode("utf-8", "surrogateescape"))
    assert not in_settings("claude-code", "PreToolUse")


@table("name", PRESENT)
def test_no_file_of_a_repository_switches_the_plugins_hook_off(files: list[Path], name: str) -> None:
    for file in files[1:]:
        file.write_text(PRESENT[name], encoding="utf-8")
    assert not in_settings("claude-code", "PreToolUse")


@pytest.mark.parametrize("name", PRESENT)
def test_what_runs_it(files: list[Path], name: str) -> None:
    assert not in_settings("claude-code", "PreToolUse")
    files[0].write_text(PRESENT[name], encoding="utf-8")
    assert in_settings("claude-code", "PreToolUse")
    assert not in_settings("claude-code", "SubagentStart")


def in_time(event: str = "PreToolUse") -> bool:
    """What is found, unless that is waited for."""
    found: list[bool] = []
    asking = threading.Thread(target=lambda: found.append(in_settings("claude-code", event)), daemon=True)
    asking.start()
    asking.join(10)
    assert found, "it waits"
    return found[0]


def test_neither_a_folder_nor_a_device_nor_a_giant_is_read(files: list[Path]) -> None:
    files[0].mkdir()
    assert not in_time()
    files[0].rmdir()
    files[0].symlink_to("/dev/zero")
    assert not in_time()
    files[0].unlink()
    files[0].write_text(PRESENT["the line"], encoding="utf-8")
    os.truncate(files[0], 5_000_000_000)
    assert not in_time()


@pytest.mark.parametrize("server", ["", "lessons-0a1b2c3d"])
def test_what_install_wrote_for_a_package_that_is_gone(files: list[Path], tmp_path: Path, server: str) -> None:
    entry = tmp_path / 'it\'s "one" $HOME' / "lessons" / "hook" / "entry.py"
    entry.parent.mkdir(parents=True)
    entry.touch()
    INSTALLER.install(str(files[0]), str(tmp_path / "data"), entry=str(entry), server=server)
    assert all(in_settings("claude-code", event) for event in AGENTS["claude-code"].events)
    entry.unlink()
    assert not any(in_settings("claude-code", event) for event in AGENTS["claude-code"].events)


def test_without_the_clients_variables_it_looks_in_the_home(tmp_path: Path, variable: SetVariable) -> None:
    variable("CLAUDE_CONFIG_DIR", None)
    variable("CLAUDE_PROJECT_DIR", None)
    variable("HOME", str(tmp_path))
    assert not in_settings("claude-code", "PreToolUse")
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text(PRESENT["the line"], encoding="utf-8")
    assert in_settings("claude-code", "PreToolUse")
