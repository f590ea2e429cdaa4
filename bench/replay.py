"""A long history in, what it takes to walk through it out; in a process of its own, so that its memory is its own."""

import json
import resource
import subprocess
import sys
import time
from typing import NamedTuple

from bench.long_history import long_history
from lessons import config
from lessons.replay.replay import replay
from lessons.store.history.history import History


class Result(NamedTuple):
    seconds: float
    processor_seconds: float  # a busy machine makes no difference to them
    megabytes: float
    mistakes: int
    repeats: int
    sessions: int


def measure(calls: int) -> Result:
    with long_history(calls) as home:
        printed = subprocess.run(
            [sys.executable, "-m", "bench.replay", home], stdout=subprocess.PIPE, check=True
        ).stdout
    return Result(**json.loads(printed))


def walk(home: str) -> Result:
    began, processor_began = time.perf_counter(), time.process_time()
    with History.for_reading(home) as history:
        report = replay(history, config.load(home, {}))
    return Result(
        time.perf_counter() - began,
        time.process_time() - processor_began,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        len(report.mistakes),
        report.repeats,
        report.sessions,
    )


if __name__ == "__main__":
    print(json.dumps(walk(sys.argv[1])._asdict()))
