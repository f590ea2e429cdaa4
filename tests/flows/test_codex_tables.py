"""One folder of Codex rollouts, scanned in every possible way: the tables are equal, and all calls are there."""

import subprocess
import sys
from pathlib import Path

import pytest

from lessons.scan.run import Options, run
from tests.builders.rollout import Rollout, eventful
from tests.flows.scanning import Cut, by_lines, by_steps, in_one_go, scan, transcripts_of, while_growing
from tests.flows.tables import Tables, assert_same, tables

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

AGENT = "codex"
# What is known of files, and the parts of a row that say in which of them it was found first.
_OF_FILES = ("sources", "segments", "known", "damaged", "progress")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that can happen."""
    root = tmp_path_factory.mktemp("rollouts").resolve()
    eventful(root)
    return root


@pytest.fixture(scope="module")
def once(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return in_one_go(root, tmp_path_factory.mktemp("once"), agent=AGENT)


def test_every_call_is_there(root: Path, tmp_path: Path) -> None:
    coverage = scan(tmp_path / "home", root, agent=AGENT)
    found = {outcome: number for outcome, number in coverage.calls.items() if number}
    assert found == {"total": 26, "unknown": 2, "failed": 13, "ok": 11}
    assert (coverage.malformed, coverage.unknown_types) == (0, {})
    print(f"count: {found}")


@pytest.mark.parametrize("pieces", [by_steps(1700), by_lines], ids=["bytes", "lines"])
def test_while_the_files_grow(once: Tables, root: Path, tmp_path: Path, pieces: Cut) -> None:
    assert_same(once, while_growing(root, tmp_path, pieces, AGENT))


def test_compressing_changes_nothing_and_loses_nothing(root: Path, once: Tables, tmp_path: Path) -> None:
    """The file has another name and another size then; what was read of it before stays as it is."""
    home, folder = tmp_path / "home", tmp_path / "rollouts"
    subprocess.run(["cp", "-r", str(root), str(folder)], check=True)
    paths = [folder / path for path in transcripts_of(folder)]
    for path in paths[::2]:
        _compress(path)
    scan(home, folder, agent=AGENT)
    for path in paths[1::2]:
        _compress(path)
    scan(home, folder, agent=AGENT)
    assert_same(_without_files(once), _without_files(tables(home, folder)))
    again = scan(home, folder, agent=AGENT)
    assert (again.files.read, again.files.unchanged) == (0, len(paths))


def test_a_rollout_that_ends_in_the_middle_of_its_compression_is_read_later(tmp_path: Path) -> None:
    path = _story(tmp_path / "rollouts").write(tmp_path / "rollouts")
    packed = _compress(path)
    whole = packed.read_bytes()
    packed.write_bytes(whole[: len(whole) // 2])
    first = run(str(tmp_path / "home"), Options([str(tmp_path / "rollouts")], agents=(AGENT,))).coverage
    assert first.files.unreadable == 1 and "Zstandard" in first.problems[0]
    packed.write_bytes(whole)
    assert scan(tmp_path / "home", tmp_path / "rollouts", agent=AGENT).calls["failed"] == 1


def _story(root: Path) -> Rollout:
    session = Rollout("packed")
    session.shell("make tset", 2, "make: *** No rule to make target 'tset'.  Stop.\n")
    return session


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
