"""One folder of transcripts, scanned in every possible way: the tables are equal, and all calls are there."""

import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.builders.big_session import many_transcripts
from tests.builders.independent_count import count
from tests.cli.command_line import LESSONS, SECONDS, CommandLine
from tests.flows.eventful import HEALTHY, copied_results, damaged, results_first
from tests.flows.scanning import by_steps, copy, in_one_go, scan, transcripts_of, while_growing
from tests.flows.tables import Tables, assert_same, tables
from tests.sizes import size

KILLS = size("KILLS", 3)
GROWTH_STEP = 4096
# Enough to read that a kill has something to hit, and files that are stored in more than one batch.
BULK_FILES, BULK_BYTES = 4, 3_000_000


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that can happen."""
    root = tmp_path_factory.mktemp("transcripts").resolve()
    for story in HEALTHY:
        story(root)
    damaged(root)
    return root


@pytest.fixture(scope="module")
def once(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return in_one_go(root, tmp_path_factory.mktemp("once"))


def test_the_installed_command_stores_the_same(root: Path, once: Tables, lessons: CommandLine) -> None:
    found = lessons.json("scan", "--path", str(root))
    assert found["files"]["read"] == len(transcripts_of(root))
    assert found["calls"]["total"] == len(once["calls"]) > 0
    assert_same(once, tables(lessons.home, root))


def test_an_independent_count_finds_the_same_calls(tmp_path: Path) -> None:
    """A failure that was told after the call, in a notification, is not flagged in its result."""
    root = tmp_path / "root"
    # Several results of one call, and results of none, can be counted in more than one way.
    for story in set(HEALTHY) - {copied_results, results_first}:
        story(root)
    coverage = scan(tmp_path / "home", root)
    counted = count(root)
    with closing(sqlite3.connect(tmp_path / "home" / "history.db")) as connection:
        at_once = "SELECT count(*) FROM calls WHERE outcome = 'failed' AND task_id = ''"
        [failed] = connection.execute(at_once).fetchone()
    assert (coverage.calls["total"], failed) == (counted.calls, counted.failed)
    assert (coverage.records, coverage.malformed) == (counted.records, counted.malformed)


def test_while_the_files_grow(root: Path, tmp_path: Path) -> None:
    growing = tmp_path / "root"
    # A line of 2 MB alone would take 500 steps, and every step is a scan.
    copy(root, growing, [path for path in transcripts_of(root) if (root / path).stat().st_size < 100_000])
    once = in_one_go(growing, tmp_path / "once")
    assert_same(once, while_growing(growing, tmp_path / "steps", by_steps(GROWTH_STEP)))


def test_killed_at_any_moment(lessons: CommandLine, root: Path, tmp_path: Path) -> None:
    bulk = tmp_path / "bulk"
    copy(root, bulk, transcripts_of(root))
    many_transcripts(bulk, BULK_FILES, BULK_BYTES)
    once = in_one_go(bulk, tmp_path / "once")
    whole = min(duration(lessons, bulk, tmp_path / f"timed-{number}") for number in range(2))
    moments = random_moments(whole)
    hits = misses = writing = rounds = 0
    while hits < KILLS:
        rounds += 1
        home = tmp_path / f"round-{rounds}"
        while hits < KILLS:
            before = stored_bytes(home)
            if not killed(lessons, bulk, home, next(moments)):
                misses += 1
                break
            hits += 1
            writing += stored_bytes(home) != before
        ended = lessons("scan", "--path", str(bulk), LESSONS_HOME=str(home))
        assert (ended.code, ended.error) == (0, "")
        assert_same(once, tables(home, bulk))
        shutil.rmtree(home)
    assert hits >= misses
    assert writing >= hits // 4
    print(f"\n{hits} kills of a running scan ({writing} while it wrote), {misses} came too late, {rounds} histories")


def duration(lessons: CommandLine, folder: Path, home: Path) -> float:
    """Of a scan that nobody disturbs."""
    began = time.perf_counter()
    lessons.ok("scan", "--path", str(folder), LESSONS_HOME=str(home))
    return time.perf_counter() - began


def random_moments(whole: float) -> Iterator[float]:
    chance = random.Random(7)
    while True:
        yield chance.uniform(0, whole)


def killed(lessons: CommandLine, folder: Path, home: Path, after: float) -> bool:
    """Whether the scan was still at work when it was killed."""
    process = subprocess.Popen(
        [LESSONS, "scan", "--path", str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=lessons.work,
        env=lessons.environment(LESSONS_HOME=str(home)),
    )
    try:
        assert process.wait(after) == 0
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        return process.wait(SECONDS) == -signal.SIGKILL
    return False


def stored_bytes(home: Path) -> list[tuple[str, int, int]]:
    """Changes whenever something was stored."""
    states = [(path, path.stat()) for path in home.glob("history.db*")]
    return sorted((path.name, status.st_size, status.st_mtime_ns) for path, status in states)
