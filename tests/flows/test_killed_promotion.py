"""`lessons promote` and `lessons undo`, killed at any moment: files are complete, the next call repairs the rest."""

import json
import os
import random
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from lessons import config, paths
from lessons.promote import decide
from lessons.promote.queue import shown
from lessons.store import decisions, files
from lessons.store.history.history import History
from tests.builders.promotable import TAG, write_mistakes
from tests.cli.command_line import LESSONS, CommandLine
from tests.cli.transcripts import projects
from tests.sizes import size

KILLS = size("KILLS", 6)
SECONDS = 30


@pytest.fixture
def found(lessons: CommandLine) -> CommandLine:
    write_mistakes(projects(lessons), tag=TAG)
    lessons.ok("scan")
    return lessons


def stored(lessons: CommandLine) -> list[dict[str, Any]]:
    """The lessons of a file that must be whole; before the first promotion there is none."""
    path = lessons.home / "lessons.json"
    document = json.loads(path.read_text()) if path.exists() else {"lessons": []}
    records: list[dict[str, Any]] = document["lessons"]
    assert all({"id", "slug", "problem", "triggers", "contentHash"} <= record.keys() for record in records)
    return records


def killed(lessons: CommandLine, arguments: list[str], chance: random.Random, whole: float) -> bool:
    """Start it and end it: at some time, or just when it has written the lesson. Whether it came to its end before."""
    process = subprocess.Popen(
        [LESSONS, *arguments], cwd=lessons.work, env=lessons.environment(), stdout=subprocess.DEVNULL
    )
    file = Path(paths.lessons_file(str(lessons.home)))
    before = files.content(str(file))
    if chance.random() < 0.3:
        time.sleep(chance.uniform(0, whole))
    else:
        give_up = time.monotonic() + SECONDS
        while files.content(str(file)) == before and process.poll() is None and time.monotonic() < give_up:
            pass
        time.sleep(chance.choice([0, chance.uniform(0, 0.01), chance.uniform(0, 0.08)]))
    process.kill()
    return process.wait() == 0


def check(lessons: CommandLine) -> None:
    """The lessons are the truth: what they name is promoted and can be undone, and nothing else."""
    home = str(lessons.home)
    decide.settle(home)
    named = {record["fingerprints"][0] for record in stored(lessons)}
    assert decisions.statuses(home) == dict.fromkeys(named, "promoted")
    with History.for_reading(home) as history:
        waiting = {each.fingerprint for each in shown(history, config.load(home, {}), everything=True).candidates}
    assert len(waiting) + len(named) == 2
    assert not waiting & named


def test_killed_at_any_moment(found: CommandLine) -> None:
    seed = int(os.environ.get("KILL_SEED", "5"))
    chance = random.Random(seed)
    began = time.monotonic()
    found("promote", "fix", "--yes")
    whole = time.monotonic() - began
    done = 0
    for _ in range(KILLS):
        promoted = decisions.statuses(str(found.home))
        promoting = not promoted or (len(promoted) == 1 and chance.random() < 0.5)
        missing = [mark for mark in ("fix", "tag") if not any(name.startswith(mark) for name in promoted)]
        arguments = ["promote", *missing, "--yes"] if promoting else ["undo"]
        done += killed(found, arguments, chance, whole)
        check(found)
    assert done < KILLS
    print(f"\n{KILLS} kills, {done} came too late (seed {seed})")
    while decisions.statuses(str(found.home)):
        found.ok("undo")
    assert found("promote", "fix", "tag", "--yes").code == 0
    check(found)
    assert len(stored(found)) == 2
    assert found.json("try", "gh pr diff 4 --stat")["decision"] == "hint"
