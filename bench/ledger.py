"""A long history and the hook's log in, what a scan takes to judge it and `lessons stats` to show it out."""

import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from bench.long_history import long_history
from lessons import paths
from lessons.model import Lesson, Triggers, document_from_lesson
from lessons.store.history.history import History

_PROGRAMS = (
    "git push;git add;kubectl get;docker build;npm install;cargo test;terraform plan;pip install;pytest;make;rg;jq"
)
_DECISIONS = ("hint", "hint", "stop", "shadow")
_LOGGED_CALLS = "SELECT tool_use_id, session_id, time FROM calls WHERE program = ? AND subcommand = ? LIMIT ?"


class Result(NamedTuple):
    """Seconds of the processor: a busy machine makes no difference to them."""

    first_scan: float
    next_scan: float
    stats: float
    stats_by_the_clock: float
    opportunities: int
    megabytes: float


def measure(calls: int, injections: int = 10_000) -> Result:
    with long_history(calls) as home, tempfile.TemporaryDirectory(prefix="lessons-bench-") as empty:
        _write_lessons(home)
        _write_log(home, injections)
        first = _run(home, "scan", "--path", empty)[1]
        again = _run(home, "scan", "--path", empty)[1]
        clock, processor = min(_run(home, "stats", "--json") for _ in range(3))
        with History.for_reading(home) as history:
            rows = len(history.ledger.opportunities())
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return Result(first, again, processor, clock, rows, peak)


def _run(home: str, *arguments: str) -> tuple[float, float]:
    """Seconds by the clock and of the processor, with the start of Python."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [str(Path(sys.executable).with_name("lessons")), *arguments]
    subprocess.run(command, env={**os.environ, "LESSONS_HOME": home}, stdout=subprocess.DEVNULL, check=True)
    passed, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return passed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _lessons() -> list[Lesson]:
    return [
        Lesson(
            id=f"L{number}",
            slug=f"about-{program.replace(' ', '-')}",
            summary=f"What to know about {program} before it is run",
            problem=f"{program} fails with the options that agents think of first.",
            solution=f"Run {program} without them.",
            triggers=Triggers(command_patterns=[rf"{program}\b"], match_on="invocation"),
            created_at="2026-01-01T00:00:00Z",
        )
        for number, program in enumerate(_PROGRAMS.split(";"))
    ]


def _write_lessons(home: str) -> None:
    document = {"lessons": [document_from_lesson(each) for each in _lessons()]}
    Path(paths.lessons_file(home)).write_text(json.dumps(document), encoding="utf-8")
    _run(home, "build")


def _write_log(home: str, count: int) -> None:
    """One line for calls of the newest sessions, as a hook would have written it."""
    chance = random.Random(5)
    lines = []
    with closing(sqlite3.connect(paths.history_file(home))) as connection:
        for number, program in enumerate(_PROGRAMS.split(";")):
            name, _, subcommand = program.partition(" ")
            rows = connection.execute(_LOGGED_CALLS, (name, subcommand, count))
            lines += [_line(f"L{number}", chance.choice(_DECISIONS), *row) for row in rows]
    chosen = sorted(chance.sample(lines, min(count, len(lines))))
    Path(paths.injections_file(home)).write_text("\n".join(chosen) + "\n", encoding="utf-8")


def _line(lesson: str, decision: str, call: str, session: str, moment: str) -> str:
    event = {
        "time": moment,
        "event": "PreToolUse",
        "agent": "claude-code",
        "session": session,
        "agentId": None,
        "toolUseId": call,
        "tool": "Bash",
        "cwd": "/home/dev",
        "model": None,
        "lesson": lesson,
        "slug": lesson.lower(),
        "decision": decision,
        "why": "commandPatterns[0]",
    }
    return json.dumps(event, separators=(",", ":"))


if __name__ == "__main__":
    print(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
