"""Compares an effect with the back-test."""

from collections.abc import Iterator, Sequence
from typing import Literal

from lessons.lesson_fields import BEFORE_A_CALL, has_any
from lessons.model import Triggers
from lessons.promote.backtest.backtest import Report

Effect = Literal["hint", "stopOnce", "block"]
Stage = Literal["active", "shadow"]

_NAMES: dict[Effect, str] = {"hint": "A hint", "stopOnce": "A stop", "block": "A block"}
ENOUGH_HITS = 5
ENOUGH_CALLS = 200
_MOST_COUNTED = 1e15  # more calls than any history has
_BLOCK_PRECISION, _BLOCK_LOWEST = 0.9, 0.75
_STOP_PRECISION = 0.6
_HINT_PRECISION = 0.3  # below it, most agents that get the hint were right
_SEVERE = ("severity:hang", "severity:data-loss")


def least_precision(effect: Effect) -> float:
    """Returns the share of hits that must fail before a lesson with this effect is offered."""
    return {"block": _BLOCK_PRECISION, "stopOnce": _STOP_PRECISION, "hint": _HINT_PRECISION}[effect]


def objections(effect: Effect, report: Report | None) -> list[str]:
    """Returns why the history is against this effect; the user may override it."""
    if effect == "block":
        return list(_against_block(report))
    if effect == "stopOnce":
        return list(_against_stop(report))
    return []


def _against_block(report: Report | None) -> Iterator[str]:
    known = report.judged if report else 0
    if report is None or known < ENOUGH_HITS:
        sentence = f"block needs at least {_calls(ENOUGH_HITS)} outside its source sessions, and has {known}"
        yield f"{sentence}: start with stop once or shadow."
        return
    value, low = report.precision.value or 0.0, report.precision.low
    if value < _BLOCK_PRECISION or low < _BLOCK_LOWEST:
        needed = f"block needs a precision of {_BLOCK_PRECISION} (lower bound {_BLOCK_LOWEST})"
        yield f"{needed}, and it is {value:.2f} ({low:.2f}): make the trigger narrower, or use stop once."


def _against_stop(report: Report | None) -> Iterator[str]:
    if report is None:
        yield "stop once needs a trigger that matches before a call runs: give one, or leave it a hint."
    elif report.judged >= ENOUGH_HITS and (report.precision.value or 0.0) < _STOP_PRECISION:
        needed = f"stop once needs a precision of {_STOP_PRECISION}, and it is {report.precision.value or 0.0:.2f}"
        yield f"{needed}: make the trigger narrower, or leave it a hint."


def acts_too_late(effect: Effect, triggers: Triggers) -> str:
    """Returns why a lesson with this trigger can prevent no call; nobody can override that."""
    if effect == "hint" or has_any(triggers, BEFORE_A_CALL):
        return ""
    if triggers.session_start:
        return f"{_NAMES[effect]} acts before a call runs, and this lesson is shown when a session starts."
    if triggers.error_patterns:
        return f"{_NAMES[effect]} acts before a call runs, and this trigger looks at the error after it."
    return ""


def warnings(effect: Effect, stage: Stage, report: Report | None, tags: Sequence[str]) -> list[str]:
    """Returns warnings for the user who turns it on."""
    found = []
    if report is not None and report.learned_from and not report.learned_hits and not report.learned_unknown:
        found.append(f"it fires on none of the {_calls(report.learned_from)} it was learned from: change the trigger.")
    if report is not None and stage == "active" and report.tested < ENOUGH_HITS:
        others = f"only {report.tested} other" if report.tested else "no other"
        calls = f"{others} call{'' if report.tested == 1 else 's'}"
        found.append(f"{calls} to test this trigger on: consider shadow mode.")
    if effect == "hint" and report is not None and report.judged >= ENOUGH_HITS:
        value = report.precision.value or 0.0
        if value < _HINT_PRECISION:
            found.append(f"only {value:.0%} of {_calls(report.judged)} it fires on failed: narrow the trigger.")
    if effect == "hint" and report is not None and suggested_effect(tags) == "stopOnce":
        severe = next(tag for tag in tags if tag in _SEVERE)
        found.append(f"tags has {severe}: a hint is shown after the call has run, stopOnce before it.")
    return found


def _calls(number: int) -> str:
    return f"{number} call{'' if number == 1 else 's'}"


def suggested_effect(tags: Sequence[str]) -> Effect:
    """Returns a stop for what hangs or destroys, a hint for the rest."""
    return "stopOnce" if any(tag in _SEVERE for tag in tags) else "hint"


def calls_to_count(report: Report | None, most: float) -> int | None:
    """If there are so many calls, the lesson is not too broad, however many more there are; None: count all."""
    if report is None:
        return 0
    enough = report.hits / most if most > 0 else _MOST_COUNTED
    return int(enough) + 2 if enough < _MOST_COUNTED else None


def too_broad(report: Report | None, calls: int, most: float) -> list[str]:
    """Returns a problem if the lesson would fire on too large a share of all calls."""
    if report is None or calls < ENOUGH_CALLS or report.hits <= most * calls:
        return []
    share = f"triggers would fire on {report.hits / calls:.0%} of all {calls:,} calls, more than {most:.0%}"
    return [f"{share}: make them narrower, or raise the setting maxTriggerShare."]
