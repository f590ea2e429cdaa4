"""The transcripts of other agents, scanned in every possible way: the tables are equal, and all calls are there."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.builders import copilot, gemini_sessions, opencode_store, qwen
from tests.flows.scanning import by_lines, by_steps, in_one_go, scan, while_growing
from tests.flows.tables import assert_same
from tests.sizes import size

GROWTH_STEP = size("OTHER_GROWTH_STEP", 1_500)
STORIES: dict[str, Callable[[Path], None]] = {
    "copilot-cli": copilot.eventful,
    "gemini-cli": gemini_sessions.write_eventful,
    "opencode": opencode_store.write_eventful,
    "qwen-code": qwen.eventful,
}
every_agent = pytest.mark.parametrize("agent", STORIES)


def told(agent: str, root: Path) -> Path:
    STORIES[agent](root)
    return root


# Calls, those of them that failed at once, and records.
COUNTED = {"copilot-cli": (14, 8, 50), "gemini-cli": (5, 3, 9), "opencode": (9, 6, 18), "qwen-code": (12, 8, 44)}


@every_agent
def test_every_call_is_there(agent: str, tmp_path: Path) -> None:
    root = told(agent, tmp_path / "root")
    coverage = scan(tmp_path / "home", root, agent=agent)
    with closing(sqlite3.connect(tmp_path / "home" / "history.db")) as connection:
        # A failure that was told after the call is not flagged in its result.
        at_once = "SELECT count(*) FROM calls WHERE outcome = 'failed' AND task_id = ''"
        [failed] = connection.execute(at_once).fetchone()
        [without_folder] = connection.execute("SELECT count(*) FROM calls WHERE cwd = '' OR project = ''").fetchone()
    assert (coverage.calls["total"], failed, coverage.records) == COUNTED[agent]
    assert without_folder == 0
    assert (coverage.malformed, coverage.unknown_types) == (0, {})


@pytest.mark.parametrize("agent", sorted(STORIES.keys() - {"opencode"}))  # a database does not grow at its end
def test_while_the_files_grow(agent: str, tmp_path: Path) -> None:
    root = told(agent, tmp_path / "root")
    once = in_one_go(root, tmp_path / "once", agent=agent)
    assert_same(once, while_growing(root, tmp_path / "steps", by_steps(GROWTH_STEP), agent=agent))
    assert_same(once, while_growing(root, tmp_path / "lines", by_lines, agent=agent))
