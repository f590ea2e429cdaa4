"""The report of a back-test in words and as a bar."""

from lessons.promote.backtest.backtest import Report

# Failed with the error in question, failed otherwise, went well, nothing is known.
SIGNS = ("█", "▓", "░", "·")
_NOTHING = "─"
_LEAST_PER_WEEK = 0.1


def shares(report: Report, width: int) -> tuple[int, int, int, int]:
    """How many cells of the bar each of the signs has: at least one for whatever occurred."""
    counts = (report.failed_same, report.failed_other, report.ok, report.unknown - report.state_unknown)
    if not report.hits:
        return (0, 0, 0, 0)
    cells = [max(1, round(width * count / report.hits)) if count else 0 for count in counts]
    while sum(cells) != width and max(cells) > 1:
        cells[cells.index(max(cells))] += 1 if sum(cells) < width else -1
    return (cells[0], cells[1], cells[2], cells[3])


def bar(report: Report, width: int) -> str:
    """What came of the hits, as long as the width says."""
    drawn = "".join(sign * cells for sign, cells in zip(SIGNS, shares(report, width), strict=True))
    return drawn.ljust(width, _NOTHING)


def sentence(report: Report) -> str:
    if not report.hits:
        return "; ".join(filter(None, ["would not have fired on any call", _state_unknown(report)]))
    times = "once" if report.hits == 1 else f"{report.hits:,} times"
    fired = f"would have fired {times} in {_many(report.sessions, 'session')}: {', '.join(_outcomes(report))}"
    parts = [fired, _precision(report), _caught(report), _often(report), _state_unknown(report)]
    return "; ".join(part for part in parts if part)


def _outcomes(report: Report) -> list[str]:
    said = []
    failed = report.failed_same + report.failed_other
    if report.failed_same and failed > 1:
        said.append(f"{report.failed_same:,} failed with the same error")
        said += [f"{report.failed_other:,} otherwise"] if report.failed_other else []
    elif failed:
        said.append(f"{failed:,} failed")
    if report.ok:
        said.append(f"{report.ok:,} succeeded")
    if unfinished := report.unknown - report.state_unknown:
        said.append(f"{unfinished:,} did not finish")
    return said


def _precision(report: Report) -> str:
    precision = report.precision
    if precision.value is None:
        return "precision unknown"
    return f"precision {precision.value:.2f} ({precision.low:.2f}–{precision.high:.2f})"


def _caught(report: Report) -> str:
    if report.caught is None:
        return ""
    return "catches all known failures" if report.caught == 1 else f"catches {report.caught:.0%} of the known failures"


def _often(report: Report) -> str:
    if report.per_week < _LEAST_PER_WEEK:
        return f"less than {_LEAST_PER_WEEK} sessions per week"
    return f"about {report.per_week:.1f} sessions per week"


def _state_unknown(report: Report) -> str:
    """The history records folders, but neither files nor programs."""
    if not report.state_unknown:
        return ""
    matches = "1 more call matches" if report.state_unknown == 1 else f"{report.state_unknown:,} more calls match"
    return f"{matches}, in a state that the history does not record"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
