"""Interpreter, entry file or modules missing: the line exits 0, and a session start says what to do."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import lessons
from lessons.agents.hook_command import installed_script, write_script
from lessons.continuity.restore import SUMMARISER_WORDS
from lessons.hook.bundled_modules import AT_ONCE, WHEN_IMPORTED
from tests.hook.installed import EVENTS, Answer, Machine, block
from tests.shells import TRIED

PACKAGE = Path(lessons.__file__).parent


@pytest.fixture(params=TRIED)
def machine(tmp_path: Path, request: pytest.FixtureRequest) -> Machine:
    machine = Machine(tmp_path)
    machine.use_shell(request.param)
    machine.publish(block("flags", "pytest"))
    return machine


def line(machine: Machine, event: str, **parts: Any) -> str:
    """The installed line, with another interpreter or entry file in its script."""
    installed = installed_script(str(machine.home))
    assert installed is not None
    write_script(installed._replace(**parts))
    return machine.commands[event]


def answer_of(machine: Machine, event: str, **parts: str) -> Answer:
    payload = machine.bash("pytest -q", hook_event_name=event, source="clear", error="pytest")
    return machine.run(event, payload, line(machine, event, **parts))


def assert_harmless(machine: Machine, what: str = "", **parts: str) -> None:
    """Exit 0 at every event; nothing is said but to the person: by a session that starts, else once for a client."""
    for mark in (machine.home / "fired").glob("cannot-start.*"):
        mark.unlink()
    told = not (machine.home / "fired").is_dir()  # before the first hook ever ran nobody is told but at a start
    for event in ("PreToolUse", *EVENTS):
        answer = answer_of(machine, event, **parts)
        assert answer.code == 0, (what, event, answer)
        if event == "SessionStart" or (event == "PreToolUse" and not told):
            told = True
            assert list(answer.document) == ["systemMessage"], (what, answer, machine.faults())
            assert "run `lessons install` again" in str(answer.document["systemMessage"])
        else:
            # What is said before a compaction needs only a few modules.
            words = SUMMARISER_WORDS.encode() if event == "PreCompact" else b""
            assert answer.out in (b"", words), (what, event)


def program(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_an_interpreter_that_works_and_then_is_removed(machine: Machine) -> None:
    python = machine.root / "python"
    python.symlink_to(os.path.realpath(sys.executable))
    assert answer_of(machine, "PreToolUse", python=str(python)).decision == "deny"
    assert answer_of(machine, "SessionStart", python=str(python)).decision in ("hint", "")
    python.unlink()
    assert_harmless(machine, python=str(python))


BROKEN = {
    "exits 2": "exit 2",
    "exits 127 with a reason": "echo no such file >&2; exit 127",
    "segmentation fault": "kill -SEGV $$",
    "closes its streams": "exec <&- >&-; exit 2",
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_interpreter_that_breaks(name: str, machine: Machine) -> None:
    assert_harmless(machine, python=program(machine.root / "python", BROKEN[name]))


def test_an_interpreter_that_is_none(machine: Machine) -> None:
    not_executable = machine.root / "not-executable"
    not_executable.write_text("#!/bin/sh\nexit 2\n", encoding="utf-8")
    noise = machine.root / "noise"
    noise.write_bytes(b"\x7fELF" + os.urandom(400))
    noise.chmod(0o755)
    empty_folder = machine.root / "folder"
    empty_folder.mkdir()
    for python in (not_executable, noise, empty_folder, machine.root / "missing" / "python", Path("/")):
        assert_harmless(machine, python.name, python=str(python))


def test_an_entry_file_that_is_none(machine: Machine) -> None:
    empty_folder = machine.root / "folder"
    empty_folder.mkdir()
    broken = machine.root / "broken.py"
    broken.write_text("import sys\nsys.exit(2)\n", encoding="utf-8")
    half = machine.root / "half.py"
    half.write_bytes((PACKAGE / "hook" / "entry.py").read_bytes()[:900])
    alone = machine.root / "entry.py"
    shutil.copy(PACKAGE / "hook" / "entry.py", alone)
    for entry in (machine.root / "missing.py", empty_folder, broken, half, alone):
        assert_harmless(machine, entry.name, entry=str(entry))


def copied(root: Path, with_bundle: bool) -> Path:
    """The package as it would be installed elsewhere, with or without its bundle."""
    package = root / "site" / "lessons"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    if with_bundle:
        environment = {**os.environ, "PYTHONPATH": str(root / "site")}
        code = "from lessons.hook import bundle; assert bundle.refresh(), bundle.bundle_file()"
        subprocess.run([sys.executable, "-B", "-c", code], env=environment, check=True, cwd=root)
        assert list(package.rglob("*.bundle"))
    return package


@pytest.mark.parametrize("with_bundle", [False, True], ids=["without a bundle", "with a bundle"])
def test_a_whole_copy_works(with_bundle: bool, machine: Machine) -> None:
    entry = str(copied(machine.root, with_bundle) / "hook" / "entry.py")
    assert answer_of(machine, "PreToolUse", entry=entry).decision == "deny"
    assert answer_of(machine, "SessionStart", entry=entry).decision in ("hint", "")


@pytest.mark.parametrize(("damage", "with_bundle"), [("removed", True), ("emptied", False)])
def test_each_module_in_turn(damage: str, with_bundle: bool, machine: Machine) -> None:
    package = copied(machine.root, with_bundle)
    entry = str(package / "hook" / "entry.py")
    names = [name for name in (*AT_ONCE, *WHEN_IMPORTED) if not package.parent.joinpath(*name.split(".")).is_dir()]
    silent = []
    for name in names:
        file = package.parent.joinpath(*name.split(".")).with_suffix(".py")
        content, status = file.read_bytes(), file.stat()
        file.unlink() if damage == "removed" else file.write_bytes(b"")
        call, start = (answer_of(machine, event, entry=entry) for event in ("PreToolUse", "SessionStart"))
        assert (call.code, start.code) == (0, 0), name
        assert call.decision in ("", "deny"), name
        is_told = "run `lessons install` again" in str(start.document.get("systemMessage"))
        if not is_told and start.decision not in ("hint", ""):
            silent.append(name)
        file.write_bytes(content)
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert not silent, f"a session started and nobody was told: {silent}"
