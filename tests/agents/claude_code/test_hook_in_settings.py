"""Whether a settings file runs the hook already: told by the command in it, whoever wrote it and however."""

import json
from pathlib import Path

import pytest

from lessons.agents.claude_code import hook_in_settings
from lessons.agents.claude_code.install import entry_file, hook_commands, install
from lessons.agents.claude_code.settings import REGISTRATIONS, our_handlers, read
from lessons.errors import LessonsError
from tests.conftest import SetVariable

# A file of that name which is there.
ENTRY = entry_file()
COMMAND = f"x={ENTRY}; python -I -S $x PreToolUse; exit 0"


@pytest.fixture
def files(tmp_path: Path, variable: SetVariable) -> list[Path]:
    """The settings files that the client reads, each in a folder of its own."""
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


ABSENT = {
    "no hooks": "{}",
    "another hook": handlers({"type": "command", "command": "/opt/other/hook.sh"}),
    "a file of ours that is read": '{"permissions": {"allow": ["Bash(cat src/lessons/hook/entry.py)"]}}',
    "another event": handlers({"type": "command", "command": COMMAND}, event="SessionStart"),
    "a server": handlers({"type": "mcp_tool", "server": "lessons", "tool": "hook"}),
    "a word": handlers({"type": "command", "command": "echo lessons"}),
    "the verb as a word": handlers({"type": "command", "command": "echo 'lessons hook PreToolUse' >>log"}),
    "the verb of another program": handlers({"type": "command", "command": "my-lessons hook PreToolUse"}),
    "another verb": handlers({"type": "command", "command": "lessons hook PreToolUseless"}),
    "an entry without an event": handlers({"type": "command", "command": f"cat {ENTRY}"}),
    "an entry with another event": handlers({"type": "command", "command": f"{ENTRY} PreToolUseless"}),
    "an event in another word": handlers({"type": "command", "command": "cat", "args": [ENTRY, "PreToolUse"]}),
    "an event before it": handlers({"type": "command", "command": f"echo PreToolUse; cat {ENTRY}"}),
    "another package": handlers({"type": "command", "command": "$x/my-lessons/hook/entry.py PreToolUse"}),
    "another file": handlers({"type": "command", "command": "$x/lessons/hook/entry.pyx PreToolUse"}),
    "arguments alone": handlers({"type": "command", "args": [COMMAND]}),
    "gone": handlers({"type": "command", "command": "python /gone/lessons/hook/entry.py PreToolUse"}),
    "gone, in quotes": handlers({"type": "command", "command": "e='/a b/lessons/hook/entry.py'; $p $e PreToolUse"}),
    "gone, of Windows": handlers({"type": "command", "command": r"python X:\lessons\hook\entry.py PreToolUse"}),
    "broken": handlers({"type": "command", "command": COMMAND})[:-3],
    "not UTF-8": "\udcff lessons",
    "empty": "",
    "a list": "[]",
    "odd hooks": '{"hooks": {"PreToolUse": "lessons"}}',
    "odd groups": '{"hooks": {"PreToolUse": [null, 1, {"hooks": "lessons"}, {"hooks": null}]}}',
    "odd handlers": handlers(None, "lessons", {"command": 1, "args": 2}),
}
PRESENT = {
    "the entry file": handlers({"type": "command", "command": COMMAND}),
    "in quotes": handlers({"type": "command", "command": f'python "{ENTRY}" PreToolUse'}),
    "from a variable": handlers({"type": "command", "command": "$HOME/lessons/hook/entry.py PreToolUse"}),
    "after one that is gone": handlers({"type": "command", "command": f"x=/gone/lessons/hook/entry.py; {COMMAND}"}),
    "of Windows": handlers({"type": "command", "command": ENTRY.replace("/", "\\") + " PreToolUse"}),
    "as arguments": handlers({"type": "command", "command": "/bin/sh", "args": ["-c", COMMAND]}),
    "the verb": handlers({"type": "command", "command": "'/opt/my tools/lessons' hook PreToolUse"}),
    "the verb of a module": handlers({"type": "command", "command": "exec python -m lessons hook PreToolUse"}),
    "among others": handlers({"type": "command", "command": "true"}, {"type": "command", "command": COMMAND}),
    "a byte order mark": "\ufeff" + handlers({"type": "command", "command": COMMAND}),
}


@pytest.mark.parametrize("name", ABSENT)
def test_what_does_not_run_the_hook(files: list[Path], name: str) -> None:
    for file in files:
        file.write_bytes(ABSENT[name].encode("utf-8", "surrogateescape"))
    assert not hook_in_settings.in_settings("PreToolUse")


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("name", PRESENT)
def test_what_runs_it(files: list[Path], name: str, place: int) -> None:
    assert not hook_in_settings.in_settings("PreToolUse")
    files[place].write_text(PRESENT[name], encoding="utf-8")
    assert hook_in_settings.in_settings("PreToolUse")
    assert not hook_in_settings.in_settings("SubagentStart")


def test_what_install_writes(files: list[Path], tmp_path: Path) -> None:
    install(str(files[0]), str(tmp_path / "data"))
    assert {*hook_commands(str(tmp_path))} == {*REGISTRATIONS}
    assert all(hook_in_settings.in_settings(event) for event in REGISTRATIONS)


@pytest.mark.parametrize("server", ["", "lessons-0a1b2c3d"])
def test_what_install_wrote_for_a_package_that_is_gone(files: list[Path], tmp_path: Path, server: str) -> None:
    entry = tmp_path / 'it\'s "one" $HOME' / "lessons" / "hook" / "entry.py"
    entry.parent.mkdir(parents=True)
    entry.touch()
    install(str(files[0]), str(tmp_path / "data"), entry=str(entry), server=server)
    assert all(hook_in_settings.in_settings(event) for event in REGISTRATIONS)
    entry.unlink()
    assert not any(hook_in_settings.in_settings(event) for event in REGISTRATIONS)


@pytest.mark.parametrize("name", [*ABSENT, *PRESENT])
def test_nothing_counts_that_install_would_not_take_for_its_own(tmp_path: Path, files: list[Path], name: str) -> None:
    text = {**ABSENT, **PRESENT}[name]
    try:
        ours = our_handlers(read(text, "settings.json"))
    except LessonsError:
        ours = []
    files[0].write_bytes(text.encode("utf-8", "surrogateescape"))
    assert ours or not hook_in_settings.in_settings("PreToolUse")


def test_without_the_clients_variables_it_looks_in_the_home(tmp_path: Path, variable: SetVariable) -> None:
    variable("CLAUDE_CONFIG_DIR", None)
    variable("CLAUDE_PROJECT_DIR", None)
    variable("HOME", str(tmp_path))
    assert not hook_in_settings.in_settings("PreToolUse")
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text(PRESENT["the entry file"], encoding="utf-8")
    assert hook_in_settings.in_settings("PreToolUse")
