"""The transcripts of other agents, scanned in every possible way: the tables are equal, and all calls are there.

TRANSCRIPTS_OF_<AGENT> (COPILOT_CLI, GEMINI_CLI, OPENCODE, QWEN_CODE) names a folder of real transcripts to use instead
of generated ones.
"""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.builders import copilot, gemini_sessions, opencode_store, qwen
from tests.builders.other_counts import COUNTS
from tests.cli.command_line import LESSONS, SECONDS, CommandLine
from tests.flows.scanning import by_lines, by_steps, in_one_go, scan, size_of, while_growing
from tests.flows.tables import assert_same, tables
from tests.sizes import size

KILLS = size("KILLS", 3)
GROWTH_STEP = size("OTHER_GROWTH_STEP", 1_500)
BULK_FILES, BULK_CALLS = 3, 1_500
STORIES: dict[str, Callable[[Path], None]] = {
    "copilot-cli": copilot.eventful,
    "gemini-cli": gemini_sessions.write_eventful,
    "opencode": opencode_store.write_eventful,
    "qwen-code": qwen.eventful,
}
BULK: dict[str, Callable[[Path, int, int], None]] = {
    "copilot-cli": copilot.bulk,
    "gemini-cli": gemini_sessions.bulk,
    "opencode": opencode_store.bulk,
    "qwen-code": qwen.bulk,
}
GIVEN = {agent: os.environ.get(f"TRANSCRIPTS_OF_{agent.upper().replace('-', '_')}", "") for agent in STORIES}
every_agent = pytest.mark.parametrize("agent", STORIES)


def told(agent: str, root: Path) -> Path:
    if GIVEN[agent]:
        return Path(GIVEN[agent]).resolve()
    STORIES[agent](root)
    return root


@every_agent
def test_an_independent_count_finds_the_same_calls(agent: str, tmp_path: Path) -> None:
    root = told(agent, tmp_path / "root")
    coverage = scan(tmp_path / "home", root, agent=agent)
    counted = COUNTS[agent](root)
    with closing(sqlite3.connect(tmp_path / "home" / "history.db")) as connection:
        # A failure that was told after the call is not flagged in its result.
        at_once = "SELECT count(*) FROM calls WHERE outcome = 'failed' AND task_id = ''"
        [failed] = connection.execute(at_once).fetchone()
        [without_folder] = connection.execute("SELECT count(*) FROM calls WHERE cwd = '' OR project = ''").fetchone()
    assert (coverage.calls["total"], failed) == (counted.calls, counted.failed)
    assert coverage.records == counted.records
    assert without_folder == 0
    assert (coverage.malformed, coverage.unknown_types) == (0, {})
    print(f"\n{agent}: {counted.calls} calls, {counted.failed} failed, {counted.records} records: the same twice")


@pytest.mark.parametrize("agent", sorted(STORIES.keys() - {"opencode"}))  # a database does not grow at its end
def test_while_the_files_grow(agent: str, tmp_path: Path) -> None:
    root = told(agent, tmp_path / "root")
    once = in_one_go(root, tmp_path / "once", agent=agent)
    assert_same(once, while_growing(root, tmp_path / "steps", by_steps(GROWTH_STEP), agent=agent))
    if not GIVEN[agent]:
        assert_same(once, while_growing(root, tmp_path / "lines", by_lines, agent=agent))
    print(f"\n{agent}: {size_of(root):,} bytes in steps of {GROWTH_STEP}")


@every_agent
def test_killed_at_any_moment(agent: str, lessons: CommandLine, tmp_path: Path) -> None:
    root = tmp_path / "bulk"
    STORIES[agent](root)
    BULK[agent](root, BULK_FILES, BULK_CALLS)
    once = in_one_go(root, tmp_path / "once", agent=agent)
    command = [LESSONS, "scan", "--path", str(root), "--agent", agent]
    began = time.perf_counter()
    lessons.ok(*command[1:], LESSONS_HOME=str(tmp_path / "timed"))
    whole = time.perf_counter() - began
    chance = random.Random(7)
    hits = rounds = 0
    while hits < KILLS:
        rounds += 1
        home = tmp_path / f"round-{rounds}"
        while hits < KILLS and _killed(lessons, command, home, chance.uniform(0.3, 1) * whole):
            hits += 1
        lessons.ok(*command[1:], LESSONS_HOME=str(home))
        assert_same(once, tables(home, root))
        shutil.rmtree(home)
        assert rounds <= 2 * KILLS + 5
    print(f"\n{agent}: {hits} kills, {rounds} histories; a whole run takes {whole:.2f} s")


def _killed(lessons: CommandLine, command: list[str], home: Path, after: float) -> bool:
    """Whether the scan was still at work when it was killed."""
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(
        command,
        stdin=nowhere,
        stdout=nowhere,
        stderr=nowhere,
        cwd=lessons.work,
        env=lessons.environment(LESSONS_HOME=str(home)),
    )
    try:
        assert process.wait(after) == 0
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        return process.wait(SECONDS) == -signal.SIGKILL
    return False
