"""Sessions in, the result of replaying their history out; and sessions made at random."""

import random
from pathlib import Path

from lessons import config
from lessons.candidate import FAILURE
from lessons.replay.replay import Walk, failures_of, repeats_in, replay
from lessons.replay.report import Outcome, ReplayReport
from lessons.store.history.history import History
from tests.builders.days import GARDEN, SHOP, Did, on_day
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session


def scanned(folder: Path, *sessions: Session) -> str:
    """A data home that has read them."""
    folder.mkdir(exist_ok=True)
    home = ScannedHome(folder)
    for session in sessions:
        session.write(home.transcripts)
    home.scan()
    return home.path


def replayed(folder: Path, *sessions: Session) -> ReplayReport:
    home = scanned(folder, *sessions)
    with History.for_reading(home) as history:
        return replay(history, config.load(home, {}))


def outcomes(folder: Path, *sessions: Session) -> dict[str, Outcome]:
    """By failed call, what became of each repeat."""
    home = scanned(folder, *sessions)
    with History.for_reading(home) as history:
        failures, spans = failures_of(history.candidates.of_tier(FAILURE)), history.sessions.spans()
        repeats = repeats_in(failures, {each.session_id: each for each in spans})
        walk = Walk(history, config.load(home, {}), failures)
        found = [outcome for session in walk.through(spans, repeats, repeats) for outcome in session.outcomes]
    return {outcome.repeat.tool_use_id: outcome for outcome in found}


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
