"""The transcripts of other agents, scanned in every possible way: the tables are equal, and all calls are there."""

import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from lessons.scan.run import Options, run
from tests.builders import copilot, gemini_sessions, opencode_store, qwen, rollout
from tests.flows.scanning import by_lines, by_steps, in_one_go, scan, transcripts_of, while_growing
from tests.flows.tables import Tables, assert_same, tables
from tests.sizes import size

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GROWTH_STEP = size("OTHER_GROWTH_STEP", 1_500)
STORIES: dict[str, Callable[[Path], object]] = {
    "codex": rollout.eventful,
    "copilot-cli": copilot.eventful,
    "gemini-cli": gemini_sessions.write_eventful,
    "opencode": opencode_store.write_eventful,
    "qwen-code": qwen.eventful,
}
# What is known of files, and the parts of a row that say in which of them it was found first.
_OF_FILES = ("sources", "segments", "known", "damaged", "progress")
every_agent = pytest.mark.parametrize("agent", STORIES)


def told(agent: str, root: Path) -> Path:
    STORIES[agent](root)
    return root


# Calls, those of them that failed at once, and records.
COUNTED = {
    "codex": (26, 12, 109),
    "copilot-cli": (14, 8, 50),
    "gemini-cli": (5, 3, 9),
    "opencode": (9, 6, 18),
    "qwen-code": (12, 8, 44),
}


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


# Rollouts that the client compresses when they are old.


def test_compressing_changes_nothing_and_loses_nothing(tmp_path: Path) -> None:
    """The file has another name and another size then; what was read of it before stays as it is."""
    home, folder = tmp_path / "home", told("codex", tmp_path / "rollouts")
    once = in_one_go(folder, tmp_path / "once", agent="codex")
    paths = [folder / path for path in transcripts_of(folder)]
    for path in paths[::2]:
        _compress(path)
    scan(home, folder, agent="codex")
    for path in paths[1::2]:
        _compress(path)
    scan(home, folder, agent="codex")
    assert_same(_without_files(once), _without_files(tables(home, folder)))
    again = scan(home, folder, agent="codex")
    assert (again.files.read, again.files.unchanged) == (0, len(paths))


def test_a_rollout_that_ends_in_the_middle_of_its_compression_is_read_later(tmp_path: Path) -> None:
    session = rollout.Rollout("packed")
    session.shell("make tset", 2, "make: *** No rule to make target 'tset'.  Stop.\n")
    path = session.write(tmp_path / "rollouts")
    packed = _compress(path)
    whole = packed.read_bytes()
    packed.write_bytes(whole[: len(whole) // 2])
    first = run(str(tmp_path / "home"), Options([str(tmp_path / "rollouts")], agents=("codex",))).coverage
    assert first.files.unreadable == 1 and "Zstandard" in first.problems[0]
    packed.write_bytes(whole)
    assert scan(tmp_path / "home", tmp_path / "rollouts", agent="codex").calls["failed"] == 1


def _compress(path: Path) -> Path:
    """As the client does: the name gets an ending, and the file that it was is gone."""
    packed = path.with_name(path.name + ".zst")
    packed.write_bytes(zstd.compress(path.read_bytes()))
    path.unlink()
    return packed


def _without_files(found: Tables) -> Tables:
    """Rows without what tells from which file they came."""
    return {name: _bare(rows) for name, rows in found.items() if name not in _OF_FILES}


def _bare(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    kept = [tuple(value for value in row if not (isinstance(value, str) and ".jsonl" in value)) for row in rows]
    return sorted(kept, key=repr)
