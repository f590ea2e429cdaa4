"""Every file of the data home damaged: the hook goes on with the rest, nothing is lost, and doctor says what to do."""

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.store.hook_index import MAGIC
from tests.builders.lessons import in_own_words
from tests.hook.installed import Answer, Machine

BUILD = "Run `lessons build`."
BEGINNING = "The summary of the lesson beginning"
Damage = Callable[[Path], object]

# What happens at each of these calls as long as the lessons act.
CALLS = {"pytest -q": "deny", "git push --force": "deny", "git stash": "hint", "ls": ""}
RECORDS: list[dict[str, object]] = [
    {"slug": "flags", "block": True, "blockReason": "No {command}.", "triggers": {"commandPatterns": ["pytest"]}},
    {"slug": "force", "stopOnce": True, "triggers": {"commandPatterns": ["git push --force"]}},
    {"slug": "stash", "triggers": {"commandPatterns": ["git stash"]}},
    {"slug": "beginning", "triggers": {"sessionStart": True}},
]
NOISE = random.Random("noise").randbytes(5000)


def lay_out(root: Path) -> Path:
    """A data home as the verbs make it."""
    machine = Machine(root)
    added = machine.lessons("add", "--from", "-", text=json.dumps({"lessons": [with_words(each) for each in RECORDS]}))
    assert added.code == 0, added.error
    assert machine.lessons("config", "set", "injectionBudgetBytes", "5000").code == 0
    machine.keep_from_scanning()
    return machine.home


def with_words(record: dict[str, object]) -> dict[str, object]:
    return in_own_words({**record, "summary": f"The summary of the lesson {record['slug']}, in many words."})


def machine_with(home: Path, root: Path) -> Machine:
    """A machine of its own with a copy of that data home."""
    machine = Machine(root)
    shutil.copytree(home, machine.home, dirs_exist_ok=True, ignore=shutil.ignore_patterns("lessons-hook"))
    return machine


def decisions(machine: Machine, session: str) -> dict[str, str]:
    """What the hook does at each of the calls, in a session of its own."""
    found = {}
    for command in CALLS:
        answer = machine.run("PreToolUse", machine.bash(command, session))
        assert (answer.code, answer.error) == (0, b"")
        found[command] = answer.decision
    return found


def start_session(machine: Machine, source: str = "clear") -> Answer:
    payload = {"session_id": f"start-{source}", "cwd": str(machine.work), "hook_event_name": "SessionStart"}
    answer = machine.run("SessionStart", {**payload, "source": source})
    assert (answer.code, answer.error) == (0, b"")
    return answer


def contents(machine: Machine) -> set[bytes]:
    """Everything that stands in any file of the data home."""
    return {path.read_bytes() for path in machine.home.rglob("*") if path.is_file()}


def doctor_says(machine: Machine, name: str) -> str:
    """What doctor finds wrong with one thing and what to do about it; nothing where it is content."""
    answer = machine.lessons("doctor", "--json", "--settings", str(machine.root / "no-settings.json"))
    assert answer.code == 1 and answer.error == b""
    found = answer.document["checks"]
    assert isinstance(found, list)
    (check,) = (check for check in found if check["name"] == name)
    return "" if check["ok"] else f"{check['detail']} {check['fix']}"


def cut(share: float) -> Damage:
    return lambda path: path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])


def overwrite(data: bytes) -> Damage:
    return lambda path: path.write_bytes(data)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay_out(tmp_path_factory.mktemp("laid-out") / "machine")


@pytest.fixture
def machine(home: Path, tmp_path: Path) -> Machine:
    return machine_with(home, tmp_path)


# Derived files: thrown away and made again.


INDEX_DAMAGES: dict[str, Damage] = {
    "missing": lambda path: path.unlink(),
    "half": cut(0.5),
    "noise": overwrite(MAGIC + NOISE),
}


@pytest.mark.parametrize("damage", INDEX_DAMAGES)
def test_without_a_usable_index_the_manifest_decides_the_same(damage: str, machine: Machine) -> None:
    INDEX_DAMAGES[damage](machine.index)
    assert decisions(machine, "after") == CALLS
    assert machine.faults() == ""
    assert BUILD in doctor_says(machine, "hook index")
    # A session that starts has it built anew, where that can be done.
    assert BEGINNING in start_session(machine).words
    assert doctor_says(machine, "hook index") == ""


def test_an_index_older_than_the_manifest_is_passed_over(machine: Machine) -> None:
    document = json.loads(machine.manifest.read_bytes())
    document["lessons"] = {key: entry for key, entry in document["lessons"].items() if entry["slug"] != "flags"}
    machine.manifest.write_text(json.dumps(document), encoding="utf-8")
    assert decisions(machine, "after") == {**CALLS, "pytest -q": ""}
    assert BUILD in doctor_says(machine, "hook index")
    assert machine.lessons("build").code == 0
    assert decisions(machine, "built") == CALLS


MANIFEST_DAMAGES: dict[str, Damage] = {
    "missing": lambda path: path.unlink(),
    "half": cut(0.5),
    "deep": overwrite(b'{"lessons": ' + b"[" * 100_000),
}


@pytest.mark.parametrize("damage", MANIFEST_DAMAGES)
def test_without_a_usable_manifest_the_hook_is_silent_and_a_build_repairs_it(damage: str, machine: Machine) -> None:
    MANIFEST_DAMAGES[damage](machine.manifest)
    assert decisions(machine, "after") == dict.fromkeys(CALLS, "")
    if damage != "missing":
        assert "lesson-manifest.json is unusable" in machine.faults()
    assert machine.run("SubagentStart", machine.bash("")).decision == ""
    assert BUILD in doctor_says(machine, "manifest")
    assert machine.lessons("build").code == 0
    assert decisions(machine, "built") == CALLS


# Files of the user: nothing overwrites them.

SOURCES = ["lessons.json", "config.json"]
DAMAGES: dict[str, Damage] = {
    "half": cut(0.5),
    "not UTF-8": lambda path: path.write_bytes(path.read_bytes().replace(b"{", b"{\xff", 1)),
}
ADDED = json.dumps(with_words({"slug": "added", "triggers": {"commandPatterns": ["added"]}}))
VERBS = {
    "add": ("add", "--from", "-"),
    "config set": ("config", "set", "maxLessonsPerInjection", "2"),
    "build": ("build",),
    "mute": ("mute", "stash"),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", SOURCES)
def test_with_a_damaged_source_the_last_good_manifest_goes_on(name: str, damage: str, machine: Machine) -> None:
    file = machine.home / name
    DAMAGES[damage](file)
    later = machine.manifest.stat().st_mtime_ns + 10**9
    os.utime(file, ns=(later, later))  # so that a session that starts tries to build
    before = contents(machine)
    assert "The summary of the lesson beginning" in start_session(machine, "startup").words
    assert "`lessons build` failed: run it to see why" in machine.faults()
    assert decisions(machine, "after") == CALLS
    assert before <= contents(machine), "something was destroyed"
    said = doctor_says(machine, name)
    assert str(file) in said and "orrect it" in said


@pytest.mark.parametrize("damage", ["half", "not UTF-8"])
@pytest.mark.parametrize("name", SOURCES)
def test_no_verb_loses_a_damaged_file(name: str, damage: str, machine: Machine) -> None:
    file = machine.home / name
    DAMAGES[damage](file)
    held, built = file.read_bytes(), machine.manifest.read_bytes()
    for verb, arguments in VERBS.items():
        answer = machine.lessons(*arguments, text=ADDED)
        assert answer.code in (0, 1) and b"Traceback" not in answer.error, (verb, answer.error)
        assert held in contents(machine), verb
        if answer.code:
            assert str(file).encode() in answer.error, (verb, answer.error)
    assert machine.manifest.read_bytes() == built
    (machine.home / "passes.json").unlink(missing_ok=True)
    assert decisions(machine, "after") == CALLS


@pytest.mark.parametrize("name", [*SOURCES, "lesson-manifest.json", "hook-index", "passes.json"])
def test_a_file_that_cannot_be_opened_breaks_nothing(name: str, machine: Machine) -> None:
    path = machine.home / name
    path.unlink(missing_ok=True)
    path.symlink_to(path)  # a link to itself: nobody can open it, not even root
    for command in CALLS:
        answer = machine.run("PreToolUse", machine.bash(command))
        assert (answer.code, answer.error) == (0, b"")
        if name != "lesson-manifest.json":
            assert answer.decision == CALLS[command]
    start_session(machine)
    for verb, arguments in VERBS.items():
        answer = machine.lessons(*arguments, text=ADDED)
        assert answer.code in (0, 1) and b"Traceback" not in answer.error, (verb, answer.error)


PASSES = {
    "half": b'{"mutes": {"stash": nu',
    "unknown parts": b'{"mutes": {"other": null}, "note": "mine"}',
}


@pytest.mark.parametrize("damage", PASSES)
def test_damaged_passes_open_nothing_and_are_kept_when_a_lesson_is_muted(damage: str, machine: Machine) -> None:
    file = machine.home / "passes.json"
    file.write_bytes(PASSES[damage])
    assert decisions(machine, "after") == CALLS, machine.faults()
    answer = machine.lessons("mute", "stash")
    assert answer.code == 0, answer.error
    assert json.loads(file.read_bytes())["mutes"]["stash"] is None
    kept = b'"note": "mine"' in file.read_bytes() if damage == "unknown parts" else PASSES[damage] in contents(machine)
    assert kept, "the damaged content is lost"
    assert decisions(machine, "muted") == {**CALLS, "git stash": ""}


@pytest.mark.parametrize("name", ["injections.jsonl", "faults.log", "fired", "seen"])
def test_a_log_that_cannot_be_written_keeps_nothing_from_acting(name: str, machine: Machine) -> None:
    path = machine.home / name
    for inside in [*path.iterdir()] if path.is_dir() else []:
        inside.unlink()
    if name in ("fired", "seen"):
        if path.is_dir():
            path.rmdir()
        path.write_bytes(b"a file in the place of a folder")
    else:
        path.unlink(missing_ok=True)
        path.mkdir()
    assert decisions(machine, "after") == CALLS
    start_session(machine)


def test_a_line_cut_off_by_a_crash_does_not_take_the_next_one_with_it(machine: Machine) -> None:
    (machine.home / "injections.jsonl").write_bytes(b'{"time": "2026-01-01T00:00:00.000Z", "slug": "fla')
    assert machine.run("PreToolUse", machine.bash("pytest -q")).decision == "deny"
    events = machine.lessons("log", "--json").document["events"]
    assert isinstance(events, list)
    assert [event["slug"] for event in events] == ["flags"]
