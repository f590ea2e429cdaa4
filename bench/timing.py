"""Commands in, how long each takes beside the first out; interleaved, so that a busy machine slows all alike."""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple


class Case(NamedTuple):
    """A process to start: its arguments, and what it reads in each round."""

    name: str
    arguments: list[str]
    input: Callable[[int], bytes]
    environment: dict[str, str]


class Result(NamedTuple):
    """By the clock, and by the time of the processor, which other load on the machine changes less."""

    name: str
    milliseconds: float
    ratio: float
    processor_ratio: float


def nothing(round_number: int) -> bytes:
    return b""


def measure(cases: list[Case], rounds: int) -> list[Result]:
    """The median of each case, and its ratio to the first one's; the ratio is taken round by round."""
    times: dict[str, list[float]] = {case.name: [] for case in cases}
    processor: dict[str, list[float]] = {case.name: [] for case in cases}
    for number in range(-3, rounds):
        for case in cases:
            data = case.input(number)
            used, began = _processor_seconds(), time.perf_counter()
            subprocess.run(case.arguments, input=data, env=case.environment, stdout=subprocess.DEVNULL, check=True)
            if number >= 0:  # the first rounds only warm the disk cache
                times[case.name].append((time.perf_counter() - began) * 1000)
                processor[case.name].append(_processor_seconds() - used)
    floor = cases[0].name
    return [
        Result(
            case.name,
            statistics.median(times[case.name]),
            _ratio(times[case.name], times[floor]),
            _ratio(processor[case.name], processor[floor]),
        )
        for case in cases
    ]


def help_text(rounds: int) -> Result:
    """`lessons --help` beside a Python that does nothing."""
    environment = dict(os.environ)
    lessons = os.path.join(os.path.dirname(sys.executable), "lessons")
    cases = [
        Case("python -c pass", [sys.executable, "-c", "pass"], nothing, environment),
        Case("lessons --help", [lessons, "--help"], nothing, environment),
    ]
    return measure(cases, rounds)[1]


def _processor_seconds() -> float:
    """Of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _ratio(times: list[float], floor: list[float]) -> float:
    return statistics.median(time / base for time, base in zip(times, floor, strict=True))
