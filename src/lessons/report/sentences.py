"""The sentences of the report's page: what each plot says, with its numbers."""

from collections.abc import Sequence

from lessons.report.document import CatchRate, EffectRow, HookHealth, Report, Totals, Week
from lessons.report.plots import drawn


def many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def headline(totals: Totals) -> str:
    if not totals.shown:
        lessons = f"{many(totals.active_lessons, 'active lesson')}, none shown so far"
        return f"{many(totals.repeats, 'repeated mistake')} in {many(totals.sessions, 'session')}; {lessons}."
    shown = f"Lessons were shown {many(totals.shown, 'time')}"
    alarms = many(totals.wrong, "false alarm")
    return f"{shown}: {many(totals.prevented, 'repeat')} prevented, {alarms}."


def span(report: Report) -> str:
    """Returns the time that the figures at the top and the first plot cover."""
    weeks = report.weeks
    if not weeks or weeks[0].start <= report.since:
        return "In all"
    return f"The last {len(weeks)} weeks, since {weeks[0].start}"


def weekly(weeks: Sequence[Week]) -> str:
    """Returns the line about the last week; empty without one."""
    lines = [
        f"{many(week.repeats, 'repeat')} made, {week.prevented:,} prevented, {many(week.wrong, 'false alarm')}"
        for week in weeks[-2:]
    ]
    before = f"; the week before {lines[0]}" if len(lines) > 1 else ""
    return f"Week of {weeks[-1].start}: {lines[-1]}{before}." if lines else ""


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
