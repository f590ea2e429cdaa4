"""User files and program files damaged in every way: the last good lessons act, nothing is lost."""

import json
import os
from pathlib import Path

import pytest

from tests.hook.damage import (
    CALLS,
    NOISE,
    Damage,
    contents,
    cut,
    decisions,
    doctor_says,
    lay_out,
    machine_with,
    overwrite,
    start_session,
    with_words,
)
from tests.hook.installed import Machine
from tests.sizes import size

EVERY_KIND = size("EVERY_KIND", 0)
SOURCES = ["lessons.json", "config.json"]
DAMAGES: dict[str, Damage] = {
    "empty": overwrite(b""),
    "half": cut(0.5),
    "random": overwrite(NOISE),
    "a list": overwrite(b"[1, 2]"),
    "not UTF-8": lambda path: path.write_bytes(path.read_bytes().replace(b"{", b"{\xff", 1)),
    "deep": overwrite(b'{"lessons": ' + b"[" * 100_000),
}
ADDED = json.dumps(with_words({"slug": "added", "triggers": {"commandPatterns": ["added"]}}))
EVERY_VERB = {
    "add": ("add", "--from", "-"),
    "config set": ("config", "set", "maxLessonsPerInjection", "2"),
    "build": ("build",),
    "mute": ("mute", "stash"),
    "edit": ("edit", "stash", "--priority", "9"),
    "archive": ("archive", "stash"),
}
VERBS = EVERY_VERB if EVERY_KIND else {verb: EVERY_VERB[verb] for verb in ("add", "config set", "build", "mute")}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay_out(tmp_path_factory.mktemp("laid-out") / "machine")


@pytest.fixture
def machine(home: Path, tmp_path: Path) -> Machine:
    return machine_with(home, tmp_path)


@pytest.mark.parametrize("damage", DAMAGES if EVERY_KIND else ["empty", "half", "random", "deep"])
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


@pytest.mark.parametrize("damage", DAMAGES if EVERY_KIND else ["half", "not UTF-8"])
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
    "empty": b"",
    "half": b'{"mutes": {"stash": nu',
    "cut inside a text": b'{"mutes": {"sta',
    "random": NOISE,
    "a list": b"[1, 2, 3]",
    "deep": b"[" * 100_000,
    "mutes are a list": b'{"mutes": ["stash", "force"], "passes": {"other": {"id": "a", "until": 9e9}}}',
    "unknown parts": b'{"mutes": {"other": null}, "note": "mine"}',
    "not UTF-8": b'{"mutes": {"caf\xe9": null}}',
}


@pytest.mark.parametrize("damage", PASSES)
def test_damaged_passes_open_nothing(damage: str, machine: Machine) -> None:
    (machine.home / "passes.json").write_bytes(PASSES[damage])
    assert decisions(machine, "after") == CALLS, machine.faults()
    start_session(machine)


@pytest.mark.parametrize("damage", PASSES)
def test_damaged_passes_are_kept_when_a_lesson_is_muted(damage: str, machine: Machine) -> None:
    file = machine.home / "passes.json"
    file.write_bytes(PASSES[damage])
    answer = machine.lessons("mute", "stash")
    assert answer.code == 0, answer.error
    assert json.loads(file.read_bytes())["mutes"]["stash"] is None
    kept = b'"note": "mine"' in file.read_bytes() if damage == "unknown parts" else PASSES[damage] in contents(machine)
    assert kept, "the damaged content is lost"
    assert decisions(machine, "muted") == {**CALLS, "git stash": ""}


def test_odd_values_in_passes_let_nothing_pass(machine: Machine) -> None:
    odd = {
        "mutes": {"flags": "x", "stash": [], "force": {}},
        "passes": {"flags": 5, "force": {"id": 7, "until": "ever"}},
    }
    (machine.home / "passes.json").write_text(json.dumps(odd), encoding="utf-8")
    assert decisions(machine, "after") == CALLS, machine.faults()


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
