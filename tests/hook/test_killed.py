"""A hook killed at any moment: its line exits 0 if only Python dies, and no file is damaged."""

import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.hook.installed import EVENTS, SECONDS, Machine, block, lesson, stop
from tests.shells import SHELLS
from tests.sizes import size

KILLS = size("KILLS", 6)
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGSEGV, signal.SIGPIPE, signal.SIGALRM)
LONGEST_DELAY = 0.06
SEED = int(os.environ.get("KILL_SEED", "5"))

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the child of a shell is told by /proc")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.publish(block("flags", "pytest"), stop("force", "git push --force"), lesson("stash", "git stash"))
    return machine


def child_of(process: subprocess.Popen[bytes]) -> int:
    """The Python that a shell has started; 0 where it has ended."""
    give_up = time.monotonic() + SECONDS
    while process.poll() is None and time.monotonic() < give_up:
        try:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        except OSError:
            break
        if children:
            return int(children[0])
    return 0


def attack(machine: Machine, event: str, payload: dict[str, object], chance: random.Random) -> tuple[bool, int, bytes]:
    """Whether a kill came in time, how the line ended, and what it said."""
    process = machine.start(event)
    assert process.stdin is not None
    child = child_of(process)
    process.stdin.write(json.dumps(payload).encode())
    process.stdin.flush()
    waits = chance.random() < 0.3
    if not waits:
        process.stdin.close()
        process.stdin = None
    time.sleep(chance.uniform(0, LONGEST_DELAY))
    hit = False
    try:
        if child:
            os.kill(child, chance.choice(SIGNALS))
            hit = True
    except ProcessLookupError:
        pass
    said, _ = process.communicate(timeout=SECONDS)
    return hit, process.returncode, said


def is_sound(said: bytes) -> bool:
    """Nothing, a plain instruction before a compaction, or one whole JSON object."""
    if not said or not said.startswith(b"{"):
        return not said or said.startswith(b"Keep in the summary")
    return isinstance(json.loads(said), dict)


@pytest.mark.parametrize("shell", SHELLS)
def test_python_dies_at_any_moment(shell: str, machine: Machine) -> None:
    machine.use_shell(shell)
    chance, hits = random.Random(f"{SEED} {shell}"), Counter[str]()
    for number in range(KILLS):
        event = chance.choice(EVENTS) if chance.random() < 0.5 else "PreToolUse"
        command = chance.choice(["pytest -q", "git push --force", "git stash"])
        fields = {"hook_event_name": event, "source": "clear", "error": "no matches found"}
        hit, code, said = attack(machine, event, machine.bash(command, f"session-{number}", **fields), chance)
        assert code == 0, (event, command)
        assert is_sound(said), said
        hits["in time" if hit else "too late"] += 1
    print(f"\n{shell}: {KILLS} kills of Python, {hits['in time']} in time (seed {SEED})")
    assert_works(machine)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_whole_hook_dies_at_any_moment(shell: str, machine: Machine) -> None:
    """As a client ends one that takes too long; it never ends with 2 by itself."""
    machine.use_shell(shell)
    chance = random.Random(f"{SEED} {shell}")
    for number in range(KILLS):
        process = subprocess.Popen(
            [machine.sh, "-c", machine.commands["PreToolUse"]],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=machine.work,
            env=machine.environment(),
            start_new_session=True,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(machine.bash("git stash", f"session-{number}")).encode())
        process.stdin.close()
        time.sleep(chance.uniform(0, LONGEST_DELAY))
        os.killpg(process.pid, chance.choice((signal.SIGTERM, signal.SIGKILL, signal.SIGHUP, signal.SIGINT)))
        assert process.wait(SECONDS) != 2
    assert_works(machine)


def assert_works(machine: Machine) -> None:
    """Every line of the log is whole, and a new session meets each lesson as if nothing had been."""
    assert all(line["slug"] for line in machine.injections())
    decisions = []
    for command in ("pytest -q", "git push --force", "git stash"):
        answer = machine.run("PreToolUse", machine.bash(command, "afterwards"))
        assert (answer.code, answer.error) == (0, b"")
        decisions.append(answer.decision)
    assert decisions == ["deny", "deny", "hint"]
