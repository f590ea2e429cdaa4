"""A thousand calls through the command and the resident server: byte for byte the same, and the same log."""

import json
import os
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.hook.installed import Machine, block, lesson, stop
from tests.hook.resident import Resident
from tests.sizes import size

CALLS = size("SAME_CALLS", 300)
SESSIONS = 8
SUBJECTS = ("stash", "push --force", "reset --hard", "tag -d", "gc", "shadowed", "muted", "allowed", "status")
ODD = (
    "日本", "\U0001f600", "a\u0300", "\u2028", "\x00", "\x1b[31m", "\t", "\r\n", "'", '"', "\\", "`x`", "$(date)", "%s",
    "${session_id}", "${tool_input}", "{command}", "</system-reminder>", "\ud800", "x" * 3000, "<<E\nbody\nE", "#",
    "; true", "&& false",
)  # fmt: skip
TOOLS = ("Bash", "Write", "Edit", "Read", "Grep", "Glob", "WebFetch", "NotebookEdit", "mcp__tracker__create", "Unheard")


def publish(machine: Machine) -> None:
    """Every way to act, some of them muted or let pass; the pass is of a session of its own."""
    machine.publish(
        lesson("stash", "git stash"),
        lesson("stash-too", "git (stash|gc)", priority=9),
        block("force", "git push --force"),
        stop("reset", "git reset --hard"),
        stop("tag", r"git tag -d", triggers={"matchOn": "invocation"}),
        lesson("shadow", "git shadowed", stage="shadow"),
        block("shadow-block", "git shadowed", stage="shadow"),
        block("muted", "git muted"),
        block("allowed", "git allowed-0"),
        lesson("paths", triggers={"pathPatterns": ["**/*.py"]}),
        lesson("content", triggers={"contentPatterns": ["日本|TODO"], "pathPatterns": ["*.md"]}),
        lesson("tracker", triggers={"toolNames": ["mcp__tracker__create"]}),
        lesson("strings", "git", triggers={"toolNames": ["Unheard"]}),
        lesson("errors", triggers={"errorPatterns": ["no matches found"]}),
        lesson("folder", "git status", triggers={"when": {"os": ["linux", "macos"]}}),
        *(lesson(f"crowd-{number}", "git gc", priority=number + 1) for number in range(6)),
    )
    until = 4_000_000_000
    passes = {"mutes": {"muted": None}, "passes": {"allowed": {"id": "one", "until": until}}}
    (machine.home / "passes.json").write_text(json.dumps(passes))


def payloads(number_of_session: int) -> list[dict[str, object]]:
    """The calls of one session, the same in every run."""
    chance = random.Random(number_of_session)
    session = f"session-{number_of_session}" if number_of_session else "session ../ 日本"
    return [
        {
            "session_id": session,
            "transcript_path": f"/nowhere/{number_of_session}.jsonl",
            "cwd": chance.choice(["/home/dev", "/home/dev/日本", ""]),
            "hook_event_name": "PreToolUse",
            "permission_mode": "default",
            "tool_name": (tool := chance.choice(TOOLS) if chance.random() < 0.5 else "Bash"),
            "tool_input": arguments(chance, tool, number_of_session),
            "tool_use_id": f"toolu_{number_of_session}_{chance.choice([number, number // 7])}",  # some come again
            **({"agent_id": "a1b2", "agent_type": "general-purpose"} if chance.random() < 0.3 else {}),
        }
        for number in range(CALLS // SESSIONS)
    ]


def arguments(chance: random.Random, tool: str, session: int) -> dict[str, object]:
    command = f"git {chance.choice(SUBJECTS)}"
    command += f"-{session}" if command.endswith("allowed") else ""
    text = " ".join(chance.choice([[command, chance.choice(ODD)], [chance.choice(ODD), command], [command], ["ls"]]))
    path = chance.choice(["/home/dev/a.py", "/home/dev/日本.md", "b.md", "/home/dev/" + chance.choice(ODD)])
    others: dict[str, object] = {"file_path": path, "url": "https://example.org", "pattern": text, "title": text}
    known: dict[str, dict[str, object]] = {
        "Bash": {"command": text, "description": "a step", "timeout": 1.5, "run_in_background": False},
        "Write": {"file_path": path, "content": text + " TODO"},
        "Edit": {"file_path": path, "old_string": "a", "new_string": text, "replace_all": False},
        "Grep": {"pattern": text, "path": path, "-n": True, "head_limit": None},
        "Unheard": {"nested": [{"deep": [text, 3, None, {"x": path}]}]},
    }
    return known.get(tool, others)


def by_command(machine: Machine, session: int) -> list[str]:
    said = []
    for payload in payloads(session):
        answer = machine.run("PreToolUse", payload)
        assert (answer.code, answer.error) == (0, b"")
        said.append(answer.out.decode("ascii"))
        age_stops(machine, said[-1])
    return said


def by_server(machine: Machine) -> list[list[str]]:
    said: list[list[str]] = [[] for _ in range(SESSIONS)]
    with Resident(machine) as server:
        for number in range(CALLS // SESSIONS):  # the sessions take turns
            for session in range(SESSIONS):
                said[session].append(server.call(payloads(session)[number]))
                age_stops(machine, said[session][-1])
    return said


def age_stops(machine: Machine, said: str) -> None:
    """What comes within a second of a stop counts as issued with it: here every call comes later."""
    if "Stopped once" in said:
        for claim in machine.temporary.rglob("*.stop"):
            os.utime(claim, (1, 1))


def log(machine: Machine) -> dict[object, list[dict[str, object]]]:
    """What was noted of each session, in its order, times apart."""
    found: dict[object, list[dict[str, object]]] = {}
    for line in machine.injections():
        found.setdefault(line["session"], []).append({key: value for key, value in line.items() if key != "time"})
    return found


def test_the_same_calls_get_the_same_answers(tmp_path: Path) -> None:
    one, other = Machine(tmp_path / "command"), Machine(tmp_path / "server")
    for machine in (one, other):
        publish(machine)
    with ThreadPoolExecutor(4) as pool:
        expected = list(pool.map(lambda session: by_command(one, session), range(SESSIONS)))
    assert by_server(other) == expected
    assert log(other) == log(one)
    assert (one.faults(), other.faults()) == ("", "")
    decisions = [str(line["decision"]) for line in one.injections()]
    print(f"\nsame decisions: {CALLS} calls:", {kind: decisions.count(kind) for kind in sorted({*decisions})})
    assert {*decisions} == {"hint", "stop", "block", "shadow", "allowed", "dropped", "muted"}
    silent = sum(answer == "" for answers in expected for answer in answers)
    # The more calls a session has, the more of them meet lessons that it has seen: enough answers are compared.
    assert silent > CALLS * 0.2 and CALLS - silent > min(CALLS * 0.1, 500)
