"""Compares alerts with the stored ones: which are new, acknowledged, and due to be shown."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import msgspec

from lessons.alert import SEVERITIES, Alert, AlertRecord, AlertsBaseline
from lessons.store.project_state.timestamps import seconds

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


def looked_at(before: AlertsBaseline, alerts: Iterable[Alert], now: str) -> AlertsBaseline:
    """Records that the user has seen these: the next delta is against them."""
    return msgspec.structs.replace(before, timestamp=now, seen={alert.id: alert.severity for alert in alerts})


def acknowledged(before: AlertsBaseline, names: Collection[str]) -> AlertsBaseline:
    records = {
        name: msgspec.structs.replace(record, acknowledged=True) if name in names else record
        for name, record in before.alerts.items()
    }
    return msgspec.structs.replace(before, alerts=records)


def shown(before: AlertsBaseline, names: Collection[str], now: str) -> AlertsBaseline:
    """Records that these were shown to the user at a session start."""
    records = {
        name: msgspec.structs.replace(record, shown=record.shown + 1, last_shown=now) if name in names else record
        for name, record in before.alerts.items()
    }
    return msgspec.structs.replace(before, alerts=records)


def delta(before: AlertsBaseline, alerts: Sequence[Alert]) -> Delta | None:
    """Returns None if the user has not looked yet."""
    if not before.timestamp:
        return None
    rank = SEVERITIES.index
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
        if record.acknowledged or times >= MOST_SHOWN:
            continue
        # A time in the future (the clock was set back) must not suppress it.
        if not 0 <= now - seconds(record.last_shown) < _WAITS[times]:
            turns.append(Turn(alert, times))
    return turns
