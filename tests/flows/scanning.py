"""Transcripts in, the tables of a history out that read them at once, one by one, or while they grew."""

import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from lessons.agents.table import DEFAULT_AGENT
from lessons.scan.run import Options, run
from lessons.scan.scan import Coverage
from tests.flows.tables import Tables, tables

Cut = Callable[[bytes], list[bytes]]


def transcripts_of(root: Path) -> list[Path]:
    """Relative to the folder, sorted."""
    return sorted(path.relative_to(root) for path in root.rglob("*.jsonl") if "tool-results" not in path.parts)


def scan(home: Path, folder: Path, full: bool = False, processes: int = 1, agent: str = DEFAULT_AGENT) -> Coverage:
    """In this process."""
    finished = run(str(home), Options([str(folder)], full=full, processes=processes, agents=(agent,)))
    assert finished.rescue is None
    assert finished.coverage.problems == []
    return finished.coverage


def in_one_go(root: Path, place: Path, processes: int = 1, agent: str = DEFAULT_AGENT) -> Tables:
    scan(place, root, processes=processes, agent=agent)
    return tables(place, root)


def one_by_one(root: Path, order: Iterable[Path], place: Path, agent: str = DEFAULT_AGENT) -> Tables:
    """Every file appears when the one before it was read."""
    folder, home = place / "projects", place / "home"
    for path in order:
        copy(root, folder, [path])
        scan(home, folder, agent=agent)
    return tables(home, folder)


def while_growing(root: Path, place: Path, pieces: Cut, agent: str = DEFAULT_AGENT) -> Tables:
    """All files grow side by side, each by its next piece, and are read after every step."""
    folder, home = place / "projects", place / "home"
    waiting = {path: iter(pieces((root / path).read_bytes())) for path in transcripts_of(root)}
    for path in waiting:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).touch()
    while waiting:
        scan(home, folder, agent=agent)
        for path in list(waiting):
            piece = next(waiting[path], None)
            if piece is None:
                del waiting[path]
                continue
            with (folder / path).open("ab") as file:
                file.write(piece)
    return tables(home, folder)


def by_steps(size: int) -> Cut:
    return lambda text: [text[at : at + size] for at in range(0, len(text), size)]


def by_lines(text: bytes) -> list[bytes]:
    """Every line first without its end."""
    return [piece for piece in re.split(rb"(\n)", text) if piece]


def copy(root: Path, folder: Path, paths: Sequence[Path]) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, folder / path)
