"""The sentences of the report's page: what each plot says, with its numbers."""

from statistics import median

from lessons.report.document import CatchRate, EffectRow, HookHealth, Latency, Report, Saved, Totals, Withheld
from lessons.report.plots import drawn, points


def many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def headline(totals: Totals) -> str:
    if not totals.shown:
        lessons = f"{many(totals.active_lessons, 'active lesson')}, none shown so far"
        return f"{many(totals.repeats, 'repeated mistake')} in {many(totals.sessions, 'session')}; {lessons}."
    shown = f"Lessons were shown {many(totals.shown, 'time')}"
    alarms = many(totals.wrong, "false alarm")
    return f"{shown}: {many(totals.prevented, 'repeat')} prevented, {alarms}."


def pooled(row: EffectRow | None) -> str:
    """Returns what all lessons together changed; empty if unknown."""
    if row is None or row.difference is None or row.low is None or row.high is None:
        return ""
    counts = (row.before_failed, row.before_calls), (row.after_failed, row.after_calls)
    shares = " to ".join(
        f"{100 * failed / max(1, calls):.0f} % ({failed:,} of {calls:,} calls)" for failed, calls in counts
    )
    interval = f"{points(row.low)} to {points(row.high)}"
    return (
        f"With the lessons active, failures per opportunity went from {shares}. The mean change"
        f" over the lessons is {points(row.difference)} points (95 % interval {interval}): {row.verdict}."
    )


def saved(found: Saved | None) -> str:
    """Returns an empty string if unknown."""
    if found is None:
        return ""
    calls, minutes = _range(found.calls_low, found.calls_high), _range(found.minutes_low, found.minutes_high)
    return f"Saved: {calls} calls and {minutes} minutes (95 % range)."


def withheld(found: Withheld | None) -> str:
    """Returns the effect of hints; empty if none was withheld."""
    if found is None:
        return ""
    counts = f"Hints were withheld at random at {many(found.withheld, 'call')}, and shown at {found.shown:,}"
    more = f" (about {many(found.more_sessions, 'more session')} until it can be told)" if found.more_sessions else ""
    if found.difference is None or found.low is None or found.high is None:
        return f"{counts}: {found.verdict}{more}."
    interval = f"95 % interval {points(found.low)} to {points(found.high)}"
    return f"{counts}. They changed failures by {points(found.difference)} points ({interval}): {found.verdict}{more}."


def _range(low: float, high: float) -> str:
    return f"{round(low):,} to {round(high):,}".replace("-", "−")


def left_out(effects: list[EffectRow]) -> str:
    """Returns how many rows the plot does not draw."""
    without = sum(row.difference is None for row in effects)
    hidden = len(effects) - without - len(drawn(effects))
    parts = [f"{many(without, 'lesson')} cannot be compared yet"] if without else []
    parts += [f"{hidden:,} with fewer calls are in the table only"] if hidden else []
    return f"{'; '.join(parts)}." if parts else ""


def verdict(row: EffectRow) -> str:
    more = f"about {many(row.more_sessions, 'more session')} with a match"
    return f"{row.verdict}: {more}" if row.more_sessions else row.verdict


def caught(rate: CatchRate) -> str:
    if rate.skipped:
        return f"{rate.skipped[0].upper()}{rate.skipped[1:]}."
    if not rate.repeats:
        return "No mistake was repeated in another session: there was nothing to catch."
    share = f"{100 * rate.caught / rate.repeats:.0f} %"
    alarms = f"{rate.false_alarms:,} of {many(rate.good_calls, 'good call')}"
    return (
        f"Had every mistake become a lesson as soon as its session ended, {rate.caught:,} of"
        f" {many(rate.repeats, 'repeat')} ({share}) would have met one; {alarms} would have raised a false alarm."
    )


def faults(hook: HookHealth) -> str:
    return f"{many(hook.faults, 'fault')} in the log." if hook.faults else "No faults in the log."


def period(report: Report) -> str:
    return f"{report.since} to {report.until}" if report.since else "no sessions yet"


def latency(found: Latency) -> str:
    bare, hook = median(found.bare), median(found.hook)
    runs = many(len(found.hook), "run")
    return f"A call without a match takes {hook:.0f} ms, a Python that does nothing {bare:.0f} ms ({runs})."
