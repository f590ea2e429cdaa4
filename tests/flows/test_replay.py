"""`lessons replay` reports the same as mining session by session, promoting by hand and asking the hook."""

import random
from pathlib import Path

import pytest

from tests.builders.days import GARDEN, SHOP, Did, on_day
from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine
from tests.flows.by_hand import ByHand
from tests.sizes import size

# What fails (a number takes the place of {}), what the shell says, and what works instead; nothing: no fix is seen.
MISTAKES = (
    ("gh pr diff {} --stat", "Exit code 1\nunknown flag: --stat", "gh pr diff {} --name-only"),
    ("timeout {} make", "Exit code 127\n(eval):1: command not found: timeout", "gtimeout {} make"),
    ("cargo build --quick -p shop{}", "Exit code 1\nerror: unexpected argument '--quick' found", ""),
    (
        "git push --force-lease origin till-{}",
        "Exit code 129\nerror: unknown option `force-lease'",
        "git push origin till-{}",
    ),
    ("rg --type javascript till{}", "Exit code 2\nrg: unrecognized file type: javascript", "rg --type js till{}"),
    ("npm run polish{}", 'Exit code 1\nnpm error Missing script: "polish"', "npm run shine"),
    ("make lamp{}", "Exit code 2\nmake: *** No rule to make target 'lamp'.  Stop.", "make -C lamps lamp{}"),
    ("cd lamps && ls {}", "Exit code 1\n(eval):cd:1: no such file or directory: lamps", "ls {}"),
)
GOOD = (
    *(
        "git status",
        "git push origin main",
        "ls lamps",
        "make test",
        "npm run build",
        "cargo build -p shop",
        "gh pr diff 4",
    ),
    *(
        "rg till",
        "rg --type javascript lamp",
        "git push --force-with-lease origin x",
        "make lamp",
        "timeout 5 ls",
        "npm run polish",
    ),
)
ASKED: dict[str, object] = {"url": "http://localhost:3000/till", "mode": "quick"}


def some_calls(chance: random.Random) -> list[Did]:
    """Two or three mistakes between good calls; some are mended."""
    calls = [Did(chance.choice(GOOD)) for _ in range(chance.randrange(1, 6))]
    for failed, error, worked in chance.sample(MISTAKES, chance.randrange(1, 4)):
        number = chance.randrange(10, 99)
        calls.append(Did(failed.format(number), error))
        if worked and chance.random() < 0.8:
            calls.append(Did(worked.format(number)))
        calls += [Did(chance.choice(GOOD)) for _ in range(chance.randrange(3))]
    if chance.random() < 0.4:
        calls.append(Did(tool="mcp__web__open", arguments=ASKED, error="Unknown mode: quick"))
        calls.append(Did(tool="mcp__web__open", arguments={**ASKED, "mode": "calm"}))
    return calls


def some_sessions(seed: int, number: int) -> list[Session]:
    """Of two projects; some begin while others go on."""
    chance = random.Random(seed)
    sessions = []
    for day in range(number):
        until = day + chance.uniform(1, 3) if chance.random() < 0.3 else None
        cwd = chance.choice([SHOP, SHOP, GARDEN])
        sessions.append(on_day(day, *some_calls(chance), name=f"{seed} {day}", cwd=cwd, until=until))
    return sessions


def whole(root: Path, sessions: list[Session]) -> CommandLine:
    """A data home that has read everything."""
    root.mkdir()
    lessons = CommandLine(root)
    for session in sessions:
        session.write(root / "projects")
    lessons.json("scan", "--path", str(root / "projects"))
    return lessons


@pytest.mark.parametrize("seed", range(size("REPLAYS", 1)))
def test_it_equals_mining_session_by_session(seed: int, tmp_path: Path) -> None:
    sessions = some_sessions(seed, 12)
    lessons = whole(tmp_path / "whole", sessions)
    queue = lessons.json("candidates", "--all")["candidates"]
    mistakes = {
        one["toolUseId"]: each["fingerprint"] for each in queue if each["tier"] == 2 for one in each["evidence"]
    }
    hand = ByHand(tmp_path / "hand")
    hand.walk(sessions, mistakes)
    said = lessons.json("replay")
    keys = {"atCall": "call", "atStart": "start", "atError": "error", "missed": "missed"}
    found = {
        (each["fingerprint"], moment): each[key]
        for each in said["mistakes"]
        for key, moment in keys.items()
        if each[key]
    }
    assert found == dict(hand.moments)
    assert (said["goodCalls"], said["falseAlarms"]) == (hand.good, hand.alarms)
    if seed == 0:
        assert {moment for _, moment in found} >= {"call", "error", "missed"}, "too little happens to compare"
        assert hand.alarms, "no lesson is ever wrong: the good calls tell nothing"
