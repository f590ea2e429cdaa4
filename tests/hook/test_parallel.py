"""Many hook processes of one session, started at the same moment: every lesson acts exactly as often as it must."""

import fcntl
import json
import os
import struct
import termios
import time
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

import pytest

from lessons.store.claims import MOST_CLAIMS
from tests.builders.rejected import Conversation
from tests.builders.transcript import Session
from tests.hook.installed import SECONDS, Answer, Machine, lesson, stop
from tests.sizes import size

ROUNDS = size("ROUNDS", 1)
PROCESSES = size("PROCESSES", 32)
# DESIGN: calls within one second of a stop were issued together with it.
TOGETHER_SECONDS = 1.0


@dataclass(frozen=True)
class Finished:
    """One process of a crowd: its answer and when it had surely ended."""

    answer: Answer
    ended: float


def crowd(machine: Machine, payload: dict[str, object]) -> list[Finished]:
    """The same call from many processes at once: all of them have read the payload before any may go on."""
    data = json.dumps(payload).encode()
    processes = [machine.start("PreToolUse") for _ in range(PROCESSES)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(data)
        process.stdin.flush()
    wait_until_read(processes)
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
    finished = []
    for process in processes:
        out, error = process.communicate(timeout=SECONDS)
        finished.append(Finished(Answer(process.returncode, out, error), time.time()))
    for one in finished:
        assert (one.answer.code, one.answer.error) == (0, b"")
    return finished


def wait_until_read(processes: list[Popen[bytes]]) -> None:
    """A pipe that is empty again has a reader that waits for its end."""
    give_up = time.monotonic() + SECONDS
    waiting = list(processes)
    while waiting and time.monotonic() < give_up:
        waiting = [process for process in waiting if unread(process)]
        time.sleep(0.001)
    assert not waiting, "some hooks never read their payload"


def unread(process: Popen[bytes]) -> int:
    assert process.stdin is not None
    answer = fcntl.ioctl(process.stdin.fileno(), termios.FIONREAD, b"\0" * 4)
    return int(struct.unpack("i", answer)[0])


def claim_of(machine: Machine, session: str, slug: str) -> Path:
    """The one file that remembers that the lesson acted in this session."""
    found = [path for path in machine.temporary.rglob(f"{slug}.stop") if session in str(path)]
    assert len(found) == 1, found
    return found[0]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_one_of_all_is_taught(machine: Machine) -> None:
    machine.publish(lesson("stash-untracked", r"git stash\b"), lesson("other", "git push"))
    shown, began = 0, time.perf_counter()
    for number in range(ROUNDS):
        session = f"hint-{number}"
        finished = crowd(machine, machine.bash("git stash", session))
        told = [one.answer for one in finished if one.answer.out]
        assert [answer.decision for answer in told] == ["hint"], f"round {number}"
        assert "stash-untracked" in told[0].words
        lines = [line for line in machine.injections() if line["session"] == session]
        assert [(line["slug"], line["decision"]) for line in lines] == [("stash-untracked", "hint")]
        shown += len(told)
    assert len(machine.injections()) == ROUNDS
    assert machine.faults() == ""
    report("hint", ROUNDS, f"{shown} injections, {len(machine.injections())} lines in the log", began)


def test_one_of_all_is_taught_again_what_was_lost(machine: Machine) -> None:
    machine.publish(lesson("stash-untracked", "git stash"))
    conversation = Conversation(machine.person)
    rounds = min(ROUNDS, MOST_CLAIMS)  # a hint is lost so often at most, then it stays away
    began = time.perf_counter()
    for number in range(rounds):
        payload = conversation.payload()
        told = [one.answer.words for one in crowd(machine, payload) if one.answer.out]
        assert len(told) == 1, f"round {number}"
        conversation.rejected(payload)
    assert len(machine.injections()) == rounds
    assert machine.faults() == ""
    report("hint that was lost", rounds, f"{len(machine.injections())} injections", began)


def test_all_that_were_issued_together_are_stopped_and_the_rerun_passes(machine: Machine) -> None:
    machine.publish(stop("force-push", "git push --force"))
    stopped = passed = reruns = 0
    slowest, began = 0.0, time.perf_counter()
    for number in range(ROUNDS):
        payload = machine.bash("git push --force", f"stop-{number}")
        finished = crowd(machine, payload)
        claim = claim_of(machine, f"stop-{number}", "force-push")
        made = claim.stat().st_mtime
        denied = [one for one in finished if one.answer.decision == "deny"]
        assert denied, "the first call must be stopped"
        # Who had ended before the second was over cannot have been late.
        assert all(one.answer.decision == "deny" for one in finished if one.ended < made + TOGETHER_SECONDS)
        assert all(one.answer.out == b"" for one in finished if one not in denied)
        slowest = max(slowest, *(one.ended - made for one in denied))
        stopped, passed = stopped + len(denied), passed + len(finished) - len(denied)
        os.utime(claim, (made - 10, made - 10))
        again = crowd(machine, payload) if number == 0 else [Finished(machine.run("PreToolUse", payload), 0)]
        assert all((one.answer.code, one.answer.out) == (0, b"") for one in again)
        reruns += len(again)
    lines = machine.injections()
    assert [line["decision"] for line in lines] == ["stop"] * stopped
    late = f"{passed} later than a second" if passed else "none later than a second"
    figures = f"{stopped} stopped, {late} (last after {slowest * 1000:.0f} ms), {reruns} reruns passed"
    report("stopOnce", ROUNDS, figures, began)


def test_an_identical_rerun_passes_at_once_and_another_call_does_not(machine: Machine) -> None:
    machine.publish(stop("force-push", "git push .*--force"))
    first = machine.bash("git push x --force")
    assert machine.run("PreToolUse", first).decision == "deny"
    other = {**machine.bash("git push y --force"), "tool_use_id": "toolu_02"}
    denied = machine.run("PreToolUse", other).decision
    [claim] = machine.temporary.rglob("force-push.stop")
    if time.time() - claim.stat().st_mtime < TOGETHER_SECONDS:
        assert denied == "deny"
    assert machine.run("PreToolUse", {**first, "tool_use_id": "toolu_03"}).out == b""
    assert b"git push" not in claim.read_bytes()


def test_the_same_call_twice_in_one_message_is_not_a_rerun(machine: Machine) -> None:
    """The transcript tells: the model has not gone on since the first was stopped."""
    machine.publish(stop("force-push", "git push --force"))
    session = Session()
    command = {"command": "git push --force"}
    first, second = session.call("Bash", command), session.call("Bash", command, same_message=True)
    transcript = session.write(machine.person)
    payload = machine.bash("git push --force", tool_use_id=first, transcript_path=str(transcript))
    assert machine.run("PreToolUse", payload).decision == "deny"
    [claim] = machine.temporary.rglob("force-push.stop")
    together = machine.run("PreToolUse", {**payload, "tool_use_id": second}).decision
    if time.time() - claim.stat().st_mtime < TOGETHER_SECONDS:
        assert together == "deny"
    for call in (first, second):
        session.result(call, "Push without force.", error=True, denial="permission-rule")
    rerun = session.call("Bash", command)
    session.write(machine.person)
    os.utime(claim)
    assert machine.run("PreToolUse", {**payload, "tool_use_id": rerun}).out == b""


def test_a_subagent_is_stopped_once_of_its_own(machine: Machine) -> None:
    machine.publish(stop("force-push", "git push --force"))
    for agent in ("", "a7a6540f", "b1"):
        payload = machine.bash("git push --force", agent_id=agent)
        assert machine.run("PreToolUse", payload).decision == "deny"
    for claim in machine.temporary.rglob("force-push.stop"):
        os.utime(claim, (0, 0))
    for agent in ("", "a7a6540f", "b1"):
        assert machine.run("PreToolUse", machine.bash("git push --force", agent_id=agent)).out == b""


def test_a_pass_is_used_by_one_of_all(machine: Machine) -> None:
    record = {
        "slug": "no-verify",
        "summary": "Commits are never made without their hooks",
        "problem": "A commit without its hooks breaks the build later.",
        "solution": "Let the hooks run and repair what they find.",
        "block": True,
        "blockReason": "Let the hooks run.",
        "triggers": {"commandPatterns": ["git commit --no-verify"]},
    }
    assert machine.lessons("add", "--from", "-", text=json.dumps(record)).code == 0
    machine.keep_from_scanning()
    assert machine.by_person("allow", "no-verify") == 0
    finished = crowd(machine, machine.bash("git commit --no-verify", "pass"))
    assert sorted(one.answer.decision for one in finished) == ["", *["deny"] * (PROCESSES - 1)]


def report(what: str, rounds: int, figures: str, began: float) -> None:
    took = time.perf_counter() - began
    print(f"\nparallel {what}: {rounds} rounds of {PROCESSES} processes: {figures}; {took:.1f} s")
