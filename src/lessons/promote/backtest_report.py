"""What a back-test says about a lesson: in words, as a bar, and as objections to an effect."""

from collections.abc import Sequence
from typing import Literal

from lessons.lesson_fields import BEFORE_A_CALL, has_any
from lessons.model import Triggers
from lessons.promote.backtest import Outcomes, Report

# Calls the lesson was learned from; other hits: failed with the error in question, failed otherwise, succeeded,
# unknown.
SIGNS = ("▒", "█", "▓", "░", "·")
_MEANINGS = ("learned from", "same error", "other error", "succeeded", "did not finish")
_NOTHING = "─"
_MOST_WEEKS = 10  # a rarer trigger is only said to be rarer

Shares = tuple[int, int, int, int, int]


def _counts(report: Report) -> Shares:
    """Returns the number of hits per sign."""
    others = report.others
    return (report.learned_hits, others.failed_same, others.failed_other, others.ok, others.unknown)


def shares(report: Report, width: int) -> Shares:
    """Returns how many cells of the bar each sign has: at least one for whatever occurred."""
    counts = _counts(report)
    if not report.hits:
        return (0, 0, 0, 0, 0)
    cells = [max(1, round(width * count / report.hits)) if count else 0 for count in counts]
    while sum(cells) != width and max(cells) > 1:
        cells[cells.index(max(cells))] += 1 if sum(cells) < width else -1
    return (cells[0], cells[1], cells[2], cells[3], cells[4])


def bar(report: Report, width: int) -> str:
    """Returns the outcomes of the hits as a bar of this width."""
    drawn = "".join(sign * cells for sign, cells in zip(SIGNS, shares(report, width), strict=True))
    return drawn.ljust(width, _NOTHING)


def legend(report: Report) -> list[tuple[str, str]]:
    """Returns the signs in the bar, each with its meaning."""
    found = zip(SIGNS, _MEANINGS, _counts(report), strict=True)
    return [(sign, meaning) for sign, meaning, count in found if count]


def sentence(report: Report) -> str:
    if report.learned_from:
        parts = [_learned(report), *_beyond(report.others), _often(report), _state_unknown(report)]
        return "; ".join(part for part in parts if part)
    if not report.hits:
        return "; ".join(filter(None, ["would not have fired on any call", _state_unknown(report)]))
    times = "once" if report.hits == 1 else f"{report.hits:,} times"
    fired = f"would have fired {times} in {_many(report.sessions, 'session')}: {', '.join(_outcomes(report))}"
    parts = [fired, _precision(report) or "precision unknown", _often(report), _state_unknown(report)]
    return "; ".join(part for part in parts if part)


def _learned(report: Report) -> str:
    """Counts source calls separately: they prove nothing about a lesson."""
    words = f"learned from {_many(report.learned_from, 'call')}"
    if report.learned_unknown:
        words += f" (the history does not record the state of {report.learned_unknown:,})"
    if report.learned_hits + report.learned_unknown < report.learned_from:
        none = "does not fire on it" if report.learned_from == 1 else "fires on none of them"
        words += f", fires on {report.learned_hits:,} of them" if report.learned_hits else f", {none}"
    return words


def _beyond(others: Outcomes) -> list[str]:
    error = f" ({others.failed_other:,} with another error)" if others.failed_other else ""
    caught = f"{_many(others.failed, 'more failed call') if others.failed else 'no other failed call'}{error}"
    good = _many(others.good, "good call") if others.good else "no good call"
    parts = [f"would have caught {caught} and disturbed {good}"]
    looks = "looks like a failure" if others.suspicious == 1 else "look like failures"
    parts += [f"{_many(others.suspicious, 'call')} succeeded but {looks}"] if others.suspicious else []
    return [*parts, f"{_many(others.unknown, 'call')} did not finish"] if others.unknown else parts


def _outcomes(report: Report) -> list[str]:
    parts = []
    failed = report.failed_same + report.failed_other
    if report.failed_same and failed > 1:
        parts.append(f"{report.failed_same:,} failed with the same error")
        parts += [f"{report.failed_other:,} otherwise"] if report.failed_other else []
    elif failed:
        parts.append(f"{failed:,} failed")
    if report.ok:
        parts.append(f"{report.ok:,} succeeded")
    if unfinished := report.unknown - report.state_unknown:
        parts.append(f"{unfinished:,} did not finish")
    return parts


def _precision(report: Report) -> str:
    """Includes the number of hits it is measured on, which is not all of them; empty if there are none."""
    precision = report.precision
    failed = report.failed_same + report.failed_other
    if precision.value is None or (not precision.value and failed):  # all failures are in its source sessions
        return ""
    is_part = report.judged < failed + report.ok
    base = f" over {_many(report.judged, 'call')} outside its source sessions" if is_part else ""
    return f"precision {precision.value:.2f} ({precision.low:.2f}–{precision.high:.2f}){base}"


def _often(report: Report) -> str:
    if not report.hits:
        return ""
    if report.per_week >= 1:
        return f"fires in about {_many(round(report.per_week), 'session')} a week"
    if report.per_week * _MOST_WEEKS < 1:
        return f"fires in less than 1 session every {_MOST_WEEKS} weeks"
    weeks = round(1 / report.per_week)
    return f"fires in about 1 session {'a week' if weeks == 1 else f'every {weeks} weeks'}"


def _state_unknown(report: Report) -> str:
    """Explains that the history records folders, but neither files nor programs."""
    others = report.state_unknown - report.learned_unknown
    if not others:
        return ""
    matches = "1 more call matches" if others == 1 else f"{others:,} more calls match"
    return f"{matches}, in a state that the history does not record"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


Effect = Literal["hint", "stopOnce", "block"]
Stage = Literal["active", "shadow"]

_NAMES: dict[Effect, str] = {"hint": "A hint", "stopOnce": "A stop", "block": "A block"}
ENOUGH_HITS = 5
ENOUGH_CALLS = 200
_BLOCK_PRECISION, _BLOCK_LOWEST = 0.9, 0.75
_STOP_PRECISION = 0.6
_HINT_PRECISION = 0.3  # below it, most agents that get the hint were right
_SEVERE = ("severity:hang", "severity:data-loss")


def least_precision(effect: Effect) -> float:
    """Returns the share of hits that must fail before a lesson with this effect is offered."""
    return {"block": _BLOCK_PRECISION, "stopOnce": _STOP_PRECISION, "hint": _HINT_PRECISION}[effect]


def objections(effect: Effect, report: Report | None) -> list[str]:
    """Returns why the history is against this effect; the user may override it."""
    judged = report.judged if report else 0
    value, low = (report.precision.value or 0.0, report.precision.low) if report else (0.0, 0.0)
    if effect == "block" and judged < ENOUGH_HITS:
        needed = f"block needs at least {_many(ENOUGH_HITS, 'call')} outside its source sessions, and has {judged}"
        return [f"{needed}: start with stop once or shadow."]
    if effect == "block" and (value < _BLOCK_PRECISION or low < _BLOCK_LOWEST):
        needed = f"block needs a precision of {_BLOCK_PRECISION} (lower bound {_BLOCK_LOWEST})"
        return [f"{needed}, and it is {value:.2f} ({low:.2f}): make the trigger narrower, or use stop once."]
    if effect == "stopOnce" and report is None:
        return ["stop once needs a trigger that matches before a call runs: give one, or leave it a hint."]
    if effect == "stopOnce" and judged >= ENOUGH_HITS and value < _STOP_PRECISION:
        needed = f"stop once needs a precision of {_STOP_PRECISION}, and it is {value:.2f}"
        return [f"{needed}: make the trigger narrower, or leave it a hint."]
    return []


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
        none = "not on the call" if report.learned_from == 1 else f"on none of the {report.learned_from:,} calls"
        found.append(f"it fires {none} it was learned from: change the trigger.")
    if report is not None and stage == "active" and report.tested < ENOUGH_HITS:
        calls = f"only {_many(report.tested, 'other call')}" if report.tested else "no other calls"
        found.append(f"{calls} to test this trigger on: consider shadow mode.")
    if effect == "hint" and report is not None and report.judged >= ENOUGH_HITS:
        value = report.precision.value or 0.0
        if value < _HINT_PRECISION:
            found.append(f"only {value:.0%} of {_many(report.judged, 'call')} it fires on failed: narrow the trigger.")
    if effect == "hint" and report is not None and suggested_effect(tags) == "stopOnce":
        severe = next(tag for tag in tags if tag in _SEVERE)
        found.append(f"tags has {severe}: a hint is shown after the call has run, stopOnce before it.")
    return found


def suggested_effect(tags: Sequence[str]) -> Effect:
    """Returns a stop for what hangs or destroys, a hint for the rest."""
    return "stopOnce" if any(tag in _SEVERE for tag in tags) else "hint"


def too_broad(report: Report | None, calls: int, most: float) -> list[str]:
    """Returns a problem if the lesson would fire on too large a share of all calls."""
    if report is None or calls < ENOUGH_CALLS or report.hits <= most * calls:
        return []
    share = f"triggers would fire on {report.hits / calls:.0%} of all {calls:,} calls, more than {most:.0%}"
    return [f"{share}: make them narrower, or raise the setting maxTriggerShare."]
