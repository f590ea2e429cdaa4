"""Index and manifest damaged in every way: the hook continues with the rest, and says what to do."""

import json
import marshal
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lessons.store.hook_index import MAGIC, PREFIX_LENGTH, checksum
from tests.hook.damage import (
    CALLS,
    NOISE,
    Damage,
    as_folder,
    cut,
    decisions,
    doctor_says,
    lay_out,
    machine_with,
    overwrite,
    start_session,
)
from tests.hook.installed import Machine
from tests.sizes import size

FLIPS = size("INDEX_FLIPS", 30)
# Verbs take ten times as long as the hook: in continuous integration only some kinds of damage are shown to them.
SHOWN_TO_VERBS = (
    "missing",
    "half",
    "a list",
    "a head of another shape",
    "future magic",
    "another interpreter",
    "of another manifest",
)
EVERY_KIND = size("EVERY_KIND", 0)
BUILD = "Run `lessons build`."
BEGINNING = "The summary of the lesson beginning"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay_out(tmp_path_factory.mktemp("laid-out") / "machine")


@pytest.fixture
def machine(home: Path, tmp_path: Path) -> Machine:
    return machine_with(home, tmp_path)


def rewrite_head(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """The index with another head, and a checksum that fits it."""
    data = path.read_bytes()
    length = int.from_bytes(data[16:24], "little")
    head = marshal.dumps(change(marshal.loads(data[PREFIX_LENGTH : PREFIX_LENGTH + length])))
    prefix = MAGIC + len(head).to_bytes(8, "little") + checksum(head).to_bytes(8, "little")
    path.write_bytes(prefix + head + data[PREFIX_LENGTH + length :])


INDEX_DAMAGES: dict[str, Damage] = {
    "missing": lambda path: path.unlink(),
    "empty": overwrite(b""),
    "a quarter": cut(0.25),
    "half": cut(0.5),
    "all but the end": cut(0.999),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "only the magic": overwrite(MAGIC),
    "random": overwrite(NOISE),
    "random after the magic": overwrite(MAGIC + NOISE),
    "endless head": overwrite(MAGIC + b"\xff" * 16 + NOISE),
    "zeros": lambda path: path.write_bytes(b"\0" * path.stat().st_size),
    "zeros after the prefix": lambda path: path.write_bytes(path.read_bytes()[:32].ljust(path.stat().st_size, b"\0")),
    "future magic": lambda path: path.write_bytes(path.read_bytes().replace(b"index 3\n", b"index 4\n")),
    "another interpreter": lambda path: rewrite_head(path, lambda head: {**head, "stamp": ("9", 0, "little", 0, 4)}),
    "of another manifest": lambda path: rewrite_head(path, lambda head: {**head, "manifest": (1, 2)}),
    "a head without its parts": lambda path: rewrite_head(path, lambda head: {"stamp": head["stamp"]}),
    "a head of another shape": lambda path: rewrite_head(path, lambda head: [1, 2, 3]),
    "a folder": as_folder,
}


@pytest.mark.parametrize("damage", INDEX_DAMAGES)
def test_without_a_usable_index_the_manifest_decides_the_same(damage: str, machine: Machine) -> None:
    INDEX_DAMAGES[damage](machine.index)
    assert decisions(machine, "after") == CALLS
    assert machine.faults() == ""
    if damage in SHOWN_TO_VERBS or EVERY_KIND:
        assert BUILD in doctor_says(machine, "hook index")
        # A session that starts has it built anew, where that can be done.
        assert BEGINNING in start_session(machine).words
        assert (doctor_says(machine, "hook index") == "") == (damage != "a folder")


def test_a_whole_index_decides_so_too(machine: Machine) -> None:
    assert decisions(machine, "before") == CALLS
    assert doctor_says(machine, "hook index") == ""


def test_an_index_older_than_the_manifest_is_passed_over(machine: Machine) -> None:
    document = json.loads(machine.manifest.read_bytes())
    document["lessons"] = {key: entry for key, entry in document["lessons"].items() if entry["slug"] != "flags"}
    machine.manifest.write_text(json.dumps(document), encoding="utf-8")
    assert decisions(machine, "after") == {**CALLS, "pytest -q": ""}
    assert BUILD in doctor_says(machine, "hook index")
    assert machine.lessons("build").code == 0
    assert decisions(machine, "built") == CALLS


def test_no_flipped_bit_of_the_index_changes_a_decision(machine: Machine) -> None:
    whole = machine.index.read_bytes()
    chance = random.Random("flips")
    wrong = []
    for number in range(FLIPS):
        # A stride through the file, so that few flips already reach each part of it.
        position = (number * len(whole) // FLIPS + chance.randrange(8)) % len(whole)
        damaged = bytearray(whole)
        damaged[position] ^= 1 << chance.randrange(8)
        machine.index.write_bytes(damaged)
        answer = machine.run("PreToolUse", machine.bash("pytest -q", f"flip-{number}"))
        if (answer.code, answer.decision, answer.error) != (0, "deny", b""):
            wrong.append((position, answer, machine.faults()))
    print(f"\nindex: {FLIPS} flipped bits of {len(whole)} bytes: {FLIPS - len(wrong)} right decisions")
    assert not wrong, wrong[:3]


MANIFEST_DAMAGES: dict[str, Damage] = {
    "missing": lambda path: path.unlink(),
    "empty": overwrite(b""),
    "half": cut(0.5),
    "cut inside a text": lambda path: path.write_bytes(path.read_bytes()[: path.read_bytes().index(b"stash") + 2]),
    "random": overwrite(NOISE),
    "a list": overwrite(b"[]"),
    "null": overwrite(b"null"),
    "no lessons": overwrite(b'{"type": "lessons-learned-manifest", "version": 1}'),
    "lessons are a list": overwrite(b'{"type": "lessons-learned-manifest", "version": 1, "lessons": []}'),
    "not UTF-8": overwrite(b'{"lessons": {"\xff": {}}}'),
    "deep": overwrite(b'{"lessons": ' + b"[" * 100_000),
}


@pytest.mark.parametrize("damage", MANIFEST_DAMAGES)
def test_without_a_usable_manifest_the_hook_is_silent_and_a_build_repairs_it(damage: str, machine: Machine) -> None:
    MANIFEST_DAMAGES[damage](machine.manifest)
    assert decisions(machine, "after") == dict.fromkeys(CALLS, "")
    if damage != "missing":
        assert "lesson-manifest.json is unusable" in machine.faults()
    assert machine.run("SubagentStart", machine.bash("")).decision == ""
    if damage in SHOWN_TO_VERBS or EVERY_KIND:
        assert BUILD in doctor_says(machine, "manifest")
        assert machine.lessons("build").code == 0
        assert decisions(machine, "built") == CALLS


@pytest.mark.parametrize("text", [b'{"lessons": {"a": "b", "c": 5, "d": null, "e": []}}', b'{"lessons": {}}'])
def test_a_manifest_without_lessons_is_silent(text: bytes, machine: Machine) -> None:
    machine.manifest.write_bytes(text)
    assert decisions(machine, "after") == dict.fromkeys(CALLS, "")
    assert machine.faults() == ""


ODD_FIELDS: dict[str, dict[str, object]] = {
    "when is a list": {"when": [1]},
    "when has a number": {"when": {"os": 5}},
    "when has numbers": {"when": {"os": [5], "shell": None}},
    "patterns are text": {"commandRegexSources": "git"},
    "patterns are numbers": {"commandRegexSources": [5, None, {"source": 7, "flags": 3}, {}]},
    "a pattern does not compile": {"commandRegexSources": [{"source": "(", "flags": ""}]},
    "a pattern is deep": {"commandRegexSources": [{"source": "(" * 5000 + ")" * 5000, "flags": ""}]},
    "priority is text": {"priority": "high"},
    "slug is a list": {"slug": ["a"]},
    "tools are numbers": {"toolNames": [1, None, []]},
    "literals are numbers": {"literals": [1, None]},
    "project is a number": {"projectPath": 5},
    "texts are numbers": {"summary": 1, "injection": 2, "blockReason": 3},
    "everything is null": dict.fromkeys(("slug", "priority", "toolNames", "commandRegexSources", "injection", "block")),
}


@pytest.mark.parametrize("odd", ODD_FIELDS)
def test_one_odd_lesson_in_the_manifest_does_not_silence_the_others(odd: str, machine: Machine) -> None:
    document = json.loads(machine.manifest.read_bytes())
    sound = next(entry for entry in document["lessons"].values() if entry["slug"] == "stash")
    pattern = {"commandRegexSources": [{"source": "pytest|git", "flags": ""}], "literals": None, "matchOn": "command"}
    odd_lesson = {**sound, **pattern, "slug": "odd", "priority": 9, **ODD_FIELDS[odd]}
    document["lessons"] = {"0": odd_lesson, **document["lessons"]}
    machine.manifest.write_text(json.dumps(document), encoding="utf-8")
    assert decisions(machine, "odd") == CALLS, machine.faults()
    assert "lesson stash" in machine.run("PreToolUse", machine.bash("git stash", "words")).words


ODD_CONFIGS: dict[str, object] = {
    "a list": [],
    "null": None,
    "texts": {"injectionBudgetBytes": "many", "maxLessonsPerInjection": "", "dedupScope": 5},
    "objects": {"injectionBudgetBytes": {}, "maxLessonsPerInjection": [], "dedupScope": {}},
    "large": {"injectionBudgetBytes": 10**30, "maxLessonsPerInjection": 1e300},
    "too large": {"injectionBudgetBytes": 10**400},
    "infinite": {"injectionBudgetBytes": float("inf")},
}


@pytest.mark.parametrize("odd", ODD_CONFIGS)
def test_odd_settings_in_the_manifest_open_nothing(odd: str, machine: Machine) -> None:
    document = json.loads(machine.manifest.read_bytes())
    text = json.dumps({**document, "config": ODD_CONFIGS[odd]}).replace("Infinity", "1e999")
    machine.manifest.write_text(text, encoding="utf-8")
    assert decisions(machine, "odd") == CALLS, machine.faults()
