"""A watcher during active sessions: everything is read and mined, whatever happens to it or to the files."""

import random
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine
from tests.flows.eventful import HEALTHY
from tests.flows.scanning import by_steps, in_one_go, transcripts_of
from tests.flows.tables import assert_same, tables
from tests.flows.watching import RunningWatcher, append, watching
from tests.sizes import size

KILLS = size("WATCH_KILLS", 3)
FLAG = "Exit code 1\nunknown flag: --stat"


def mistake(name: str, number: int = 7) -> Session:
    session = Session(name)
    session.result(session.call("Bash", {"command": f"gh pr diff {number} --stat"}), FLAG, error=True)
    session.result(session.call("Bash", {"command": f"gh pr diff {number} --name-only"}), "a.py")
    return session


def number_of(home: Path, table: str) -> int:
    try:
        with closing(sqlite3.connect(f"file:{home}/history.db?mode=ro", uri=True)) as connection:
            return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    except sqlite3.Error:
        return -1


def has(home: Path, table: str, rows: int, watcher: RunningWatcher) -> None:
    watcher.until(lambda: number_of(home, table) == rows, f"{rows} rows of {table}")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return (tmp_path / "root").resolve()


@pytest.mark.parametrize("mode", ["events", "polling"])
def test_sessions_are_read_while_they_happen_and_mined_when_they_are_quiet(
    mode: str, lessons: CommandLine, root: Path
) -> None:
    mistake("before").write(root)
    with watching(lessons, root, lessons.home, LESSONS_WATCH_MODE=mode, LESSONS_WATCH_POLL_SECONDS="1") as watcher:
        has(lessons.home, "calls", 2, watcher)
        has(lessons.home, "evidence", 1, watcher)
        mistake("while").write(root)
        has(lessons.home, "calls", 4, watcher)
        has(lessons.home, "evidence", 2, watcher)
        found = lessons.json("watch", "status")
        assert (found["running"], found["pid"], found["mode"]) == (True, watcher.process.pid, mode)
        assert lessons("watch", "--once", "--path", str(root)).error.startswith("A watcher is running already")
        began = time.monotonic()
        said = watcher.stop()
        assert time.monotonic() - began < 60  # the bench has the real figure
    assert watcher.process.returncode == 0
    assert "gh pr diff 7 --stat" in said and "mined 1 quiet session" in said
    assert lessons.json("watch", "status")["running"] is False
    assert [event["event"] for event in watcher.events()][:: len(watcher.events()) - 1] == ["started", "stopped"]
    assert lessons.json("candidates")["candidates"]  # exported, and recurring
    assert_same(in_one_go(root, lessons.home.with_name("once")), tables(lessons.home, root))


def growing(root: Path, folder: Path, stop: threading.Event) -> Iterator[int]:
    """All files grow side by side, a piece at a time; each next step writes some of them."""
    waiting = {path: iter(by_steps(3_000)((root / path).read_bytes())) for path in transcripts_of(root)}
    number = 0
    while waiting and not stop.is_set():
        for path in list(waiting):
            piece = next(waiting[path], None)
            if piece is None:
                del waiting[path]
            else:
                append(folder / path, piece)
        number += 1
        yield number


def test_killed_at_any_moment(lessons: CommandLine, root: Path, tmp_path: Path) -> None:
    for story in HEALTHY:
        story(root)
    folder, stop, chance = tmp_path / "grown", threading.Event(), random.Random(11)
    folder.mkdir()
    once = in_one_go(root, tmp_path / "once")
    kills = rounds = 0
    while kills < KILLS:
        rounds += 1
        home = tmp_path / f"home-{rounds}"
        shutil.rmtree(folder)
        folder.mkdir()
        steps = growing(root, folder, stop)
        is_growing = True
        for _ in range(min(25, KILLS - kills)):
            with watching(lessons, folder, home, LESSONS_WATCH_QUIET_SECONDS="1") as watcher:
                until = time.monotonic() + chance.uniform(0.3, 2.5)
                while time.monotonic() < until:
                    is_growing = next(steps, None) is not None
                    time.sleep(0.1)
                watcher.process.kill()
                kills += 1
        while is_growing:
            is_growing = next(steps, None) is not None
        lessons.ok("scan", "--path", str(folder), LESSONS_HOME=str(home))
        assert_same(once, tables(home, folder))
    print(f"\nwatch: {kills} kills in {rounds} histories")
