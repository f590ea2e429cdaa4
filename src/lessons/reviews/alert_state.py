"""Which alerts are new, acknowledged and due to be shown; their line at a session start."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

import msgspec

from lessons.errors import NotFound
from lessons.project_state import ALERT_SEVERITIES, Alert, AlertRecord, AlertsBaseline, seconds, time_of
from lessons.reviews.alerts import IDS, View, evaluate
from lessons.reviews.review_log import may_be_kept
from lessons.store import session_start_files
from lessons.store.state_files import alerts_baseline
from lessons.store.state_paths import StatePaths

MOST_SHOWN = 3
_DAY = 24 * 3600.0
# Alerts without action are shown less often: at once, after a day, after a week, then never again.
_WAITS = (0.0, _DAY, 7 * _DAY)
_REMEMBERED = 30 * _DAY


class Delta(msgspec.Struct, rename="camel", frozen=True):
    """What has changed since the user last looked."""

    since: str
    new: list[str]
    worse: list[str]
    resolved: list[str]


class Turn(NamedTuple):
    """An alert to show, and how often it was shown before."""

    alert: Alert
    shown: int


def raised(before: AlertsBaseline, alerts: Iterable[Alert], now: str) -> AlertsBaseline:
    """Merges these alerts; a changed or larger one counts as new, a resolved one is remembered for a month."""
    alerts = list(alerts)
    open_now = {alert.id for alert in alerts}
    records = {
        name: record
        for name, record in before.alerts.items()
        if name in open_now or seconds(now) - seconds(record.last_raised) < _REMEMBERED
    }
    for alert in alerts:
        known = records.get(alert.id)
        mark = _shrunk(known.mark, alert.mark) if known else alert.mark
        if known is None or mark is None:
            known, mark = AlertRecord(since=now), alert.mark
        records[alert.id] = msgspec.structs.replace(known, mark=mark, severity=alert.severity, last_raised=now)
    return msgspec.structs.replace(before, alerts=records)


def _shrunk(before: str, now: str) -> str | None:
    """Returns the mark to continue with; None if the problem is another one, or has grown: that is new.

    A mark ends in the size of the problem, if it has one. Shrinking is not new, nor is growing back a little: a number
    that moves between two sizes would otherwise be new each time.
    """
    (what, space, size), (what_now, _, size_now) = before.rpartition(" "), now.rpartition(" ")
    if what == what_now and size.isdecimal() and size_now.isdecimal() and int(size_now) <= int(size):
        return f"{what}{space}{min(int(size), int(size_now) + 1)}"
    return before if before == now else None


def acknowledged(before: AlertsBaseline, names: Collection[str]) -> AlertsBaseline:
    records = {name: msgspec.structs.replace(before.alerts[name], acknowledged=True) for name in names}
    return msgspec.structs.replace(before, alerts=before.alerts | records)


def shown(before: AlertsBaseline, names: Collection[str], now: str) -> AlertsBaseline:
    """Records that these were shown to the user at a session start."""
    known = {name: before.alerts[name] for name in names if name in before.alerts}
    records = {
        name: msgspec.structs.replace(record, shown=record.shown + 1, last_shown=now) for name, record in known.items()
    }
    return msgspec.structs.replace(before, alerts=before.alerts | records)


def delta(before: AlertsBaseline, alerts: Sequence[Alert]) -> Delta | None:
    """Returns None if the user has not looked yet."""
    if not before.timestamp:
        return None
    rank = ALERT_SEVERITIES.index
    now = {alert.id: alert.severity for alert in alerts}
    worse = [name for name, severity in now.items() if name in before.seen and rank(severity) < rank(before.seen[name])]
    new = [name for name in now if name not in before.seen]
    return Delta(before.timestamp, new, worse, [name for name in before.seen if name not in now])


def to_show(baseline: AlertsBaseline, alerts: Iterable[Alert], now: float) -> list[Turn]:
    """Returns alerts that are not acknowledged, not shown often enough, and due now."""
    turns = []
    for alert in alerts:
        record = baseline.alerts.get(alert.id, AlertRecord())
        times = max(0, record.shown)
        if not alert.at_start or record.acknowledged or times >= MOST_SHOWN:
            continue
        # A time in the future (the clock was set back) must not suppress it.
        if not 0 <= now - seconds(record.last_shown) < _WAITS[times]:
            turns.append(Turn(alert, times))
    return turns


MOST_BYTES = 290  # for the project, and the same for the installation: together they stay below 600
_SEPARATOR = " · "
_MORE = "still open: {} (`lessons alerts`)"


class Briefing(NamedTuple):
    """Empty if there is nothing to show."""

    text: str
    names: list[str]


def briefing(turns: Sequence[Turn], most: int = MOST_BYTES) -> Briefing:
    """Shows an alert first with its action, then without, then by name only; what does not fit waits."""

    def fits(*more: str) -> bool:
        return len(_SEPARATOR.join([*parts, *more]).encode("utf-8", "replace")) <= most

    parts: list[str] = []
    names: list[str] = []
    for alert, times in turns:
        part = f"{alert.message} Run `{alert.action}`." if times == 0 else alert.message
        if times < 2 and fits(part):
            parts.append(part)
            names.append(alert.id)
    quiet = [turn.alert.id for turn in turns if turn.shown >= 2]
    while quiet and not fits(_MORE.format(", ".join(quiet))):
        quiet.pop()
    if quiet:
        parts.append(_MORE.format(", ".join(quiet)))
    return Briefing(_SEPARATOR.join(parts), names + quiet)


class AlertReport(NamedTuple):
    """The current alerts, the stored record of each, what was not measured, and what changed."""

    alerts: list[Alert]
    records: dict[str, AlertRecord]
    no_data: dict[str, str]
    delta: Delta | None


def report_alerts(view: View, by_person: bool, acknowledge: Collection[str] | None = None) -> AlertReport:
    """`acknowledge`: ids, or an empty collection for all current alerts; None acknowledges nothing."""
    now = time_of(datetime.fromtimestamp(view.now, UTC))
    found = evaluate(view)
    names = {alert.id for alert in found.alerts}
    chosen = names if acknowledge is not None and not acknowledge else set(acknowledge or ())
    if unknown := sorted(chosen - names):
        what = "no alert now" if unknown[0] in IDS else "no alert"
        raise NotFound(f"{unknown[0]} is {what}: `lessons alerts` lists them.")
    records: dict[str, AlertRecord] = {}
    deltas: list[Delta] = []
    # Alerts about no project are stored in the data home's own folder, treated as a project.
    places = [(StatePaths(view.home, view.home), False), *([(view.place, True)] if may_be_kept(view.place) else [])]
    for place, of_project in places:
        own = [alert for alert in found.alerts if alert.of_project == of_project]
        before, after = alerts_baseline.change(place, partial(_changed, own, chosen, now, by_person, place.own))
        records |= after.alerts
        if change := delta(before, own):
            deltas.append(change)
    together = None
    if deltas:
        new, worse, resolved = (
            sorted(name for each in deltas for name in getattr(each, field)) for field in ("new", "worse", "resolved")
        )
        together = Delta(min(each.since for each in deltas), new, worse, resolved)
    return AlertReport(found.alerts, records, found.no_data, together)


def _changed(
    alerts: list[Alert], chosen: set[str], now: str, by_person: bool, own: str, before: AlertsBaseline
) -> AlertsBaseline:
    """Also prepares the briefing while the lock is held: an older check must not replace that of a newer one."""
    after = shown(before, session_start_files.take_shown_alerts(own), now)
    after = raised(after, alerts, now)
    after = acknowledged(after, chosen & after.alerts.keys())
    session_start_files.write_briefing(own, *briefing(to_show(after, alerts, seconds(now))))
    if not by_person:
        return after
    # The next delta is against what the person sees now.
    return msgspec.structs.replace(after, timestamp=now, seen={alert.id: alert.severity for alert in alerts})
