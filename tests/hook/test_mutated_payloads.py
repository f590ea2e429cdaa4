"""Malformed payloads to the installed command: exit 0, one JSON object or nothing, no stray file."""

import hashlib
import json
import os
import re
import stat
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lessons.agents.claude_code.install import INSTALLER
from lessons.agents.hook_command import places_of, write_script
from lessons.agents.hook_lines import PROBLEM
from lessons.continuity.restore import SUMMARISER_WORDS
from tests.hook.installed import EVENTS, Answer, Machine, block, lesson, run, stop
from tests.hook.mutations import HOSTILE_NAMES, KINDS, Mutation, mutation, payloads, text_of
from tests.shells import TRIED
from tests.sizes import size

MUTATIONS = size("MUTATIONS", 120)
BATCH = 200
THREADS = 4
SEED = os.environ.get("SEED", "lessons")

# Everything that a hook may leave behind: each name is fixed, or escaped behind a fixed beginning.
NAME = r"[A-Za-z0-9_-]{1,100}(\.[0-9a-f]+)?"
CONTEXT = (
    rf"session-{NAME}(/model|/root|/failures(-agent-{NAME})?|/main|/agent-{NAME}|/(main|agent-{NAME})/{NAME}(\.stop)?)?"
)
MAY_APPEAR = {
    "data": re.compile(rf"injections\.jsonl|faults\.log(\.1)?|fired(/[A-Za-z]+)?|seen(/{CONTEXT})?"),
    "temporary": re.compile(rf"lessons-\d+(/{CONTEXT})?"),
}


def idle_python(root: Path) -> str:
    """The same interpreter where it is asked who it is, and nothing at all as the product's own."""
    path = root / "idle-python"
    path.write_text(f"#!/bin/sh\ncase $* in *'-m lessons'*) exit 0;; esac\nexec '{sys.executable}' \"$@\"\n")
    path.chmod(0o755)
    return str(path)


def lay_out(root: Path) -> Machine:
    machine = Machine(root)
    # What would work in the background does nothing: hundreds of events come at once.
    write_script(places_of(str(machine.home), executable=idle_python(root)))
    machine.commands = INSTALLER.hook_commands(str(machine.home))
    machine.publish(
        lesson("stash", "git stash"),
        stop("force", "git push --force"),
        block("flags", "pytest"),
        lesson("printing", triggers={"contentPatterns": [r"print\("]}),
        lesson("settings", triggers={"pathPatterns": ["**/settings.json"]}),
        lesson("globs", triggers={"errorPatterns": ["no matches found"]}),
        lesson("echoing", triggers={"toolNames": ["mcp__rig__echo"]}),
        lesson("beginning", triggers={"sessionStart": True}),
        lesson("here", "git", scope={"type": "project", "path": str(machine.work)}),
        lesson("watched", "git", stage="shadow"),
    )
    for folder in (machine.person, machine.work, root / "outside" / "session-x" / "main"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "kept.txt").write_text("as it was", encoding="utf-8")
    return machine


@pytest.fixture(params=TRIED)
def machine(tmp_path: Path, request: pytest.FixtureRequest) -> Machine:
    machine = lay_out(tmp_path / "machine")
    machine.use_shell(request.param)
    return machine


def listing(root: Path) -> dict[str, str]:
    """Every path below the root, with what it is and what it holds."""
    found = {}
    for path in sorted(root.rglob("*")):
        status = path.lstat()
        held = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(status.st_mode) else ""
        found[str(path.relative_to(root))] = f"{status.st_mode:o} {held}"
    return found


def strays(root: Path, before: dict[str, str]) -> list[str]:
    """What was made, changed or removed where nothing may be."""
    after = listing(root)
    changed = [path for path in sorted({*before, *after}) if before.get(path) != after.get(path)]
    return [path for path in changed if not may_appear(path)]


def may_appear(path: str) -> bool:
    folder, _, inside = path.partition("/")
    return folder in MAY_APPEAR and MAY_APPEAR[folder].fullmatch(inside) is not None


def wrong_with(event: str, answer: Answer) -> str:
    """What breaks a promise about an answer; nothing where it keeps them all."""
    if answer.code != 0:
        return f"exit code {answer.code}"
    if answer.error:
        return f"stderr {answer.error[-300:]!r}"
    if not answer.out or (event == "PreCompact" and answer.out == SUMMARISER_WORDS.encode()):
        return ""
    try:
        document = json.loads(answer.out.decode("ascii"))
    except ValueError as error:
        return f"stdout is not one JSON document: {error}"
    if not isinstance(document, dict) or PROBLEM in str(document):
        return f"stdout {answer.out[:200]!r}"
    said = document.get("hookSpecificOutput")
    if not isinstance(said, dict) or said.get("hookEventName") != event:
        return f"stdout {answer.out[:200]!r}"
    return "" if said.get("permissionDecision", "deny") == "deny" else "permissionDecision"


def test_no_mutation_breaks_a_promise(machine: Machine) -> None:
    before = listing(machine.root)
    answered: Counter[str] = Counter()
    broken: list[str] = []
    slowest = (0.0, "")

    def attack(number: int) -> tuple[int, Mutation, Answer]:
        mutated = mutation(number, SEED, str(machine.work))
        return number, mutated, machine.run(mutated.event, mutated.data)

    with ThreadPoolExecutor(THREADS) as pool:
        for begin in range(0, MUTATIONS, BATCH):
            numbers = range(begin, min(begin + BATCH, MUTATIONS))
            for number, mutated, answer in pool.map(attack, numbers):
                name = f"{mutated.kind} {number} to {mutated.event}"
                slowest = max(slowest, (answer.seconds, name))
                wrong = wrong_with(mutated.event, answer)
                broken += [f"{name}: {wrong}"] if wrong else []
                said = "words" if mutated.event == "PreCompact" else answer.decision
                answered["wrong" if wrong else said] += 1
            if stray := strays(machine.root, before):
                broken.append(f"{begin} to {begin + BATCH}: {stray}")
    told = ", ".join(f"{count} {decision or 'silent'}" for decision, count in answered.most_common())
    print(f"\nmutations: {MUTATIONS} of {len(KINDS)} kinds, seed {SEED!r}: {told}; {len(broken)} broken promises;")
    faults = len(machine.faults().splitlines())
    print(f"           slowest {slowest[0] * 1000:.0f} ms ({slowest[1]}); {faults} faults noted")
    assert not broken, "\n".join(broken[:20])


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=lambda name: ascii(name)[:20])
def test_no_name_from_outside_becomes_a_file_name(name: str, machine: Machine) -> None:
    before = listing(machine.root)
    payload = machine.bash("git stash", name, agent_id=name, tool_use_id=name, model=name)
    first = machine.run("PreToolUse", payload)
    assert first.decision == "hint"
    start = {**payload, "hook_event_name": "SessionStart", "source": "clear"}
    for event, mutated in (("SessionStart", start), ("PostToolUseFailure", {**payload, "error": "no matches found"})):
        assert wrong_with(event, machine.run(event, mutated)) == ""
    assert strays(machine.root, before) == []


CLOSED = {
    "stdin closed": "<&-",
    "stdin is empty": "</dev/null",
    "stdout closed": ">&-",
    "stdout full": ">/dev/full",
    "stderr closed": "2>&-",
    "all closed": "<&- >&- 2>&-",
}
if not os.path.exists("/dev/full"):  # Linux alone has it
    del CLOSED["stdout full"]


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("name", CLOSED)
def test_closed_and_broken_streams(name: str, event: str, machine: Machine) -> None:
    before = listing(machine.root)
    line = ["/bin/sh", "-c", f'exec "$2" -c "$1" {CLOSED[name]}', "sh", machine.commands[event], machine.sh]
    payload = {
        **payloads(str(machine.work))[0],
        "hook_event_name": event,
        "source": "clear",
        "error": "no matches found",
    }
    answer = run(line, text_of(payload), machine.work, machine.environment())
    assert answer.code == 0
    if "stdout" not in name and "all" not in name:
        assert wrong_with(event, answer) == ""
    assert b"Traceback" not in answer.error
    assert strays(machine.root, before) == []


SURROUNDINGS = {
    "a data home that is not there": {"LESSONS_HOME": "/nonexistent/lessons"},
    "a relative data home": {"LESSONS_HOME": "lessons"},
    "a data home that is a file": {"LESSONS_HOME": "/dev/null"},
    "no environment to speak of": {"HOME": "", "PATH": "", "LANG": "C"},
    "text that is not UTF-8": {"SHELL": "/bin/\udcff", "LESSONS_SEEN": "\udcfe,stash"},
}


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("name", SURROUNDINGS)
def test_odd_surroundings(name: str, event: str, machine: Machine) -> None:
    before = listing(machine.root)
    payload = {**payloads(str(machine.work))[0], "hook_event_name": event, "source": "clear"}
    answer = machine.run(event, payload, **SURROUNDINGS[name])
    assert wrong_with(event, answer) == ""
    assert strays(machine.root, before) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LESSONS_INJECTION_BUDGET_BYTES", "inf"),
        ("LESSONS_INJECTION_BUDGET_BYTES", "nan"),
        ("LESSONS_INJECTION_BUDGET_BYTES", "-1"),
        ("LESSONS_MAX_LESSONS_PER_INJECTION", "1e999"),
        ("LESSONS_MAX_LESSONS_PER_INJECTION", "many"),
        ("LESSONS_DEDUP_SCOPE", "../.."),
        ("LESSONS_SEEN", "flags"),
        ("TMPDIR", "/nonexistent"),
        ("TMPDIR", "/dev/null"),
        ("TMPDIR", "/proc"),
    ],
)
def test_no_setting_opens_what_is_blocked(name: str, value: str, machine: Machine) -> None:
    answer = machine.run("PreToolUse", machine.bash("pytest -q"), **{name: value})
    assert (answer.decision, answer.error) == ("deny", b"")


def test_a_folder_that_somebody_else_laid_out_is_not_used(machine: Machine) -> None:
    bait = machine.root / "outside" / "bait"
    bait.mkdir()
    (machine.temporary / f"lessons-{os.getuid()}").symlink_to(bait)
    for _ in range(2):
        machine.run("PreToolUse", machine.bash("git push --force"))
    assert list(bait.iterdir()) == []
    assert len(list((machine.home / "seen").rglob("force.stop"))) == 1
