"""Transcripts in, what reading them costs beside the least that any reader must do out."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.builders.big_session import big_transcript, many_transcripts

MEGABYTE = 1_000_000


class Cost(NamedTuple):
    """One run of one task, without the start of Python: seconds by the clock, the most memory, and its steps."""

    seconds: float
    processor: float  # seconds of CPU time, which depend less on other load
    megabytes: float
    steps: dict[str, float]


class Speed(NamedTuple):
    """A scan beside decoding every line."""

    ratio: float
    processor_ratio: float  # of the minimum CPU times
    megabytes_a_second: float
    peak: float
    shares: dict[str, float]  # of each step


@contextmanager
def sample() -> Iterator[Path]:
    """Real transcripts where the variable CORPUS names a folder, else 100 MB of made ones."""
    chosen = os.environ.get("CORPUS")
    if chosen:
        yield Path(chosen)
        return
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as folder:
        many_transcripts(Path(folder), 50, 2 * MEGABYTE)
        yield Path(folder)


def speed(folder: Path, rounds: int = 7, processes: str = "1") -> Speed:
    """Measures a scan with so many processes (0: the default).

    The steps are always those of one process.
    """
    size = sum(path.stat().st_size for path in folder.rglob("*.jsonl"))
    floors, scans = [], []
    for _ in range(rounds):
        floors.append(run("decode", folder))
        scans.append(run("scan", folder, processes))
    ratio = statistics.median(floor.seconds / scan.seconds for floor, scan in zip(floors, scans, strict=True))
    least = min(floor.processor for floor in floors) / min(scan.processor for scan in scans)
    seconds = statistics.median(scan.seconds for scan in scans)
    steps = {step: cost for step, cost in run("steps", folder).steps.items() if step != "whole"}
    shares = {step: cost / sum(steps.values()) for step, cost in steps.items()}
    return Speed(ratio, least, size / seconds / MEGABYTE, max(scan.megabytes for scan in scans), shares)


def flat(size: int) -> tuple[float, float]:
    """Of one file of so many megabytes: seconds a gigabyte, and the most memory."""
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as folder:
        big_transcript(Path(folder) / "a" / "big.jsonl", size * MEGABYTE)
        costs = [run("scan", Path(folder)) for _ in range(3 if size < 500 else 1)]
    seconds = statistics.median(cost.seconds for cost in costs)
    return seconds / size * 1000, max(cost.megabytes for cost in costs)


def nothing_new(files: int, rounds: int = 15) -> tuple[float, float]:
    """A scan that finds nothing new, as a multiple of looking at every file: alone, and both with their start."""
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as folder:
        many_transcripts(Path(folder) / "t", files, 2_000)
        home = os.path.join(folder, "home")
        run("scan", Path(folder) / "t", "1", home)
        inside, whole = [], []
        for _ in range(rounds):
            floor, scan = run("look", Path(folder) / "t"), run("again", Path(folder) / "t", "1", home)
            inside.append(scan.seconds / floor.seconds)
            whole.append(scan.steps["whole"] / floor.steps["whole"])
        return statistics.median(inside), statistics.median(whole)


def run(task: str, folder: Path, processes: str = "1", home: str | None = None) -> Cost:
    """In a process of its own, so that neither memory nor caches of one run help another."""
    own = home or tempfile.mkdtemp(prefix="lessons-bench-home-")
    try:
        command = [sys.executable, "-m", "bench.capture_task", task, str(folder), own, processes]
        printed = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
        return Cost(**json.loads(printed))
    finally:
        if home is None:
            shutil.rmtree(own)
