"""What a lesson would do and what it would have done so far in, what speaks against letting it out."""

from collections.abc import Iterator, Sequence
from typing import Literal

from lessons.promote.backtest.backtest import Report

Effect = Literal["hint", "stopOnce", "block"]
Stage = Literal["active", "shadow"]

ENOUGH_HITS = 5
ENOUGH_CALLS = 200
_BLOCK_PRECISION, _BLOCK_LOWEST = 0.9, 0.75
_STOP_PRECISION = 0.6
_HINT_PRECISION = 0.3  # below it most agents that are told were right
_SEVERE = ("severity:hang", "severity:data-loss")


def objections(effect: Effect, report: Report | None) -> list[str]:
    """Why the history speaks against this effect; a person may go on all the same."""
    if effect == "block":
        return list(_against_block(report))
    if effect == "stopOnce":
        return list(_against_stop(report))
    return []


def _against_block(report: Report | None) -> Iterator[str]:
    known = report.judged if report else 0
    if report is None or known < ENOUGH_HITS:
        told = f"block needs {_calls(ENOUGH_HITS)} of the history to judge by, and there are {known}"
        yield f"{told}: begin with stopOnce or in shadow."
        return
    value, low = report.precision.value or 0.0, report.precision.low
    if value < _BLOCK_PRECISION or low < _BLOCK_LOWEST:
        needed = f"block needs a precision of {_BLOCK_PRECISION} (at the least {_BLOCK_LOWEST})"
        yield f"{needed}, and it is {value:.2f} ({low:.2f}): make the trigger narrower, or use stopOnce."


def _against_stop(report: Report | None) -> Iterator[str]:
    if report is None:
        yield "stopOnce needs a trigger that matches before a call runs: give one, or leave it a hint."
    elif report.judged >= ENOUGH_HITS and (report.precision.value or 0.0) < _STOP_PRECISION:
        needed = f"stopOnce needs a precision of {_STOP_PRECISION}, and it is {report.precision.value or 0.0:.2f}"
        yield f"{needed}: make the trigger narrower, or leave it a hint."


def warnings(effect: Effect, stage: Stage, report: Report | None, tags: Sequence[str]) -> list[str]:
    """What a person should know who lets it act."""
    found = []
    if report is not None and stage == "active" and report.judged < ENOUGH_HITS:
        told = f"of the history, only {_calls(report.judged)} can tell how well the trigger does"
        found.append(f"{told}: in shadow it would be tried first.")
    if effect == "hint" and report is not None and report.judged >= ENOUGH_HITS:
        value = report.precision.value or 0.0
        if value < _HINT_PRECISION:
            found.append(f"of the calls it fires on, {value:.0%} went wrong: make the trigger narrower.")
    if effect == "hint" and report is not None and suggested_effect(tags) == "stopOnce":
        severe = next(tag for tag in tags if tag in _SEVERE)
        found.append(f"tags has {severe}: a hint comes with the result of the call, stopOnce before it runs.")
    return found


def _calls(number: int) -> str:
    return f"{number} call{'' if number == 1 else 's'}"


def suggested_effect(tags: Sequence[str]) -> Effect:
    """What hangs or destroys is better stopped than commented on."""
    return "stopOnce" if any(tag in _SEVERE for tag in tags) else "hint"


def too_broad(report: Report | None, calls: int, most: float) -> list[str]:
    """Of all calls of the history, a lesson may fire on so many and no more: who is told all the time hears nothing."""
    if report is None or calls < ENOUGH_CALLS or report.hits <= most * calls:
        return []
    share = f"triggers would fire on {report.hits / calls:.0%} of all {calls:,} calls, more than {most:.0%}"
    return [f"{share}: make them narrower, or raise the setting maxTriggerShare."]
