"""Formats the report of a back-test in words and as a bar."""

from lessons.promote.backtest.backtest import Outcomes, Report

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
        words += f", fires on {report.learned_hits:,} of them" if report.learned_hits else ", fires on none of them"
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
    if precision.value is None:
        return ""
    is_part = report.judged < report.failed_same + report.failed_other + report.ok
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
