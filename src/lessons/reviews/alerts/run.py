"""Runs all alert checks, stores the results, and prepares the line for the next session start."""

from collections.abc import Collection
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from lessons.alert import Alert, AlertRecord, AlertsBaseline
from lessons.errors import NotFound
from lessons.reviews.alerts import baseline
from lessons.reviews.alerts.baseline import Delta
from lessons.reviews.alerts.briefing import briefing
from lessons.reviews.alerts.evaluate import IDS, evaluate
from lessons.reviews.alerts.view import View
from lessons.reviews.permission import may_be_kept
from lessons.store import prepared_briefing
from lessons.store.project_state import alerts_baseline
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.project_state.timestamps import seconds, time_of


class Looked(NamedTuple):
    """The current alerts, the stored record of each, what was not measured, and what changed."""

    alerts: list[Alert]
    records: dict[str, AlertRecord]
    no_data: dict[str, str]
    delta: Delta | None


def look(view: View, by_person: bool, acknowledge: Collection[str] | None = None) -> Looked:
    """`acknowledge`: ids, or an empty collection for all current alerts; None acknowledges nothing."""
    now = time_of(datetime.fromtimestamp(view.now, UTC))
    found = evaluate(view)
    names = {alert.id for alert in found.alerts}
    chosen = names if acknowledge is not None and not acknowledge else set(acknowledge or ())
    if unknown := sorted(chosen - names):
        what = "no alert now" if unknown[0] in IDS else "no alert"
        raise NotFound(f"{unknown[0]} is {what}: `lessons alerts` lists them.")
    records: dict[str, AlertRecord] = {}
    deltas = []
    places = [(of_installation(view.home), False), *([(view.place, True)] if may_be_kept(view.place) else [])]
    for place, of_project in places:
        own = [alert for alert in found.alerts if alert.of_project == of_project]
        before, after = alerts_baseline.change(place, partial(_changed, own, chosen, now, by_person, place.own))
        deltas.append(baseline.delta(before, own))
        records |= after.alerts
    return Looked(found.alerts, records, found.no_data, _together(deltas))


def of_installation(home: str) -> StatePaths:
    """Returns where alerts about no project are stored: the data home's own folder, treated as a project."""
    return StatePaths(home, home)


def _changed(
    alerts: list[Alert], chosen: Collection[str], now: str, by_person: bool, own: str, before: AlertsBaseline
) -> AlertsBaseline:
    """Also prepares the briefing while the lock is held: an older check must not replace that of a newer one."""
    after = baseline.shown(before, prepared_briefing.take_shown(own), now)
    after = baseline.acknowledged(baseline.raised(after, alerts, now), chosen)
    prepared_briefing.write(own, *briefing(baseline.to_show(after, alerts, seconds(now))))
    return baseline.looked_at(after, alerts, now) if by_person else after


def _together(deltas: list[Delta | None]) -> Delta | None:
    known = [each for each in deltas if each is not None]
    if not known:
        return None
    parts = {
        name: sorted(one for each in known for one in getattr(each, name)) for name in ("new", "worse", "resolved")
    }
    return Delta(min(each.since for each in known), **parts)
