"""`python -m bench.history_verbs [CALLS…]`: the time and memory of each verb over a history of so many calls."""

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing

import lessons
from bench.process_cost import Cost, cost, first_screen
from bench.varied_history import varied_history
from lessons import paths

SIZES = (10_000, 100_000, 300_000)
_PROGRAM = [sys.executable, "-m", "lessons"]
_PREPARE = "import sys; from lessons.promote.queue import prepare; prepare(sys.argv[1], 3600.0)"
_BACKUP = "import sys; from lessons.store.history.backups import make; make(sys.argv[1])"
_REVIEW_KEYS, _STARTER_KEYS = "[q]uit", "[a]dd all"  # what stands below a screen that asks for a key


def measure(calls: int) -> Iterator[tuple[str, Cost]]:
    """Each verb in a process of its own, first without anything that scans prepare, then with all of it."""
    # As in an installation, whatever PYTHONDONTWRITEBYTECODE says; elsewhere, for a child inherits our peak of memory.
    subprocess.run([sys.executable, "-m", "compileall", "-qq", os.path.dirname(lessons.__file__)], check=True)
    with varied_history(calls) as home, tempfile.TemporaryDirectory(prefix="lessons-bench-") as empty:
        yield from measure_in(home, empty)


def measure_in(home: str, empty: str) -> Iterator[tuple[str, Cost]]:
    """The same in a data home that is there."""
    yield "start of lessons", cost([*_PROGRAM, "mute", "--list"], home)
    yield "what the first scan of a day backs up", cost([sys.executable, "-c", _BACKUP, home], home)
    for state in ("nothing prepared", "prepared"):
        if state == "prepared":
            yield "what a scan prepares", cost([sys.executable, "-c", _PREPARE, home], home)
            yield "the same with nothing new", cost([sys.executable, "-c", _PREPARE, home], home)
        init = [*_PROGRAM, "init", "--no-install", "--path", empty]
        yield f"review, first screen, {state}", first_screen([*_PROGRAM, "review"], home, [_REVIEW_KEYS])
        _forget_prepared(home) if state == "nothing prepared" else None
        yield f"init, first screen, {state}", first_screen(init, home, [_STARTER_KEYS, _REVIEW_KEYS])
        _forget_prepared(home) if state == "nothing prepared" else None
        yield f"candidates --json, {state}", cost([*_PROGRAM, "candidates", "--json"], home)
        _forget_prepared(home) if state == "nothing prepared" else None
        yield f"candidates --all --json, {state}", cost([*_PROGRAM, "candidates", "--all", "--json"], home)
        _forget_prepared(home) if state == "nothing prepared" else None
    yield from _other_verbs(home)


def _other_verbs(home: str) -> Iterator[tuple[str, Cost]]:
    yield "candidates 1", cost([*_PROGRAM, "candidates", "1"], home)
    yield "search", cost([*_PROGRAM, "search", "kubectl", "apply"], home)
    yield "search --failed", cost([*_PROGRAM, "search", "--failed"], home)
    yield "search --json", cost([*_PROGRAM, "search", "kubectl", "--json"], home)
    for match_on in ("command", "invocation"):
        pattern = ["backtest", "--command-pattern", r"git push\b", "--match-on", match_on, "--json"]
        yield f"backtest, {match_on}", cost([*_PROGRAM, *pattern], home)
    yield "cost --json", cost([*_PROGRAM, "cost", "--json"], home)
    yield "stats --json", cost([*_PROGRAM, "stats", "--json"], home)
    yield "list --status candidate", cost([*_PROGRAM, "list", "--status", "candidate"], home)
    yield "log", cost([*_PROGRAM, "log"], home)
    yield "history", cost([*_PROGRAM, "history"], home)
    yield "doctor", cost([*_PROGRAM, "doctor"], home, codes=(0, 1))  # no hook is installed here, and it says so
    yield "alerts", cost([*_PROGRAM, "alerts"], home)
    yield "promote 1 --yes", cost([*_PROGRAM, "promote", "1", "--yes"], home, codes=(0, 1))  # it may have no trigger
    yield "tend", cost([*_PROGRAM, "tend"], home)
    yield "undo", cost([*_PROGRAM, "undo"], home, codes=(0, 1))


def _forget_prepared(home: str) -> None:
    with closing(sqlite3.connect(paths.history_file(home))) as connection, connection:
        connection.execute("DELETE FROM proposals")


def main() -> None:
    for size in [int(word) for word in sys.argv[1:]] or SIZES:
        print(f"\n{size:,} calls: seconds by the clock, of the processor, peak memory")
        for name, each in measure(size):
            print(
                f"{name:<46} {each.seconds:8.2f} s {each.processor_seconds:8.2f} s {each.megabytes:7.0f} MB", flush=True
            )


if __name__ == "__main__":
    main()
