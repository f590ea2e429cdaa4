"""Evaluates the alerts of a project, and reports what could not be measured."""

from collections.abc import Callable
from typing import NamedTuple

from lessons.alert import SEVERITIES, Alert
from lessons.reviews.alerts import (
    false_alarms,
    hook_silent,
    recent_faults,
    returned_mistakes,
    review_backlog,
    stale_manifest,
    unclean_end,
    uncommitted_work,
    waiting_candidates,
)
from lessons.reviews.alerts.view import Finding, NoData, View
from lessons.store import faults

_LOOKS: dict[str, Callable[[View], Finding]] = {
    module.ID: module.look
    for module in (
        hook_silent,
        stale_manifest,
        recent_faults,
        returned_mistakes,
        false_alarms,
        waiting_candidates,
        unclean_end,
        uncommitted_work,
        review_backlog,
    )
}
IDS = tuple(_LOOKS)


class Evaluated(NamedTuple):
    """The alerts, most severe first; and the reasons for those that could not be measured."""

    alerts: list[Alert]
    no_data: dict[str, str]


def evaluate(view: View) -> Evaluated:
    """A failed check does not mean that all is well: its fault becomes the reason."""
    alerts, no_data = [], {}
    for name, look in _LOOKS.items():
        try:
            found = look(view)
        except Exception as fault:
            found = NoData(f"it cannot be looked at ({faults.describe(fault)})")
        if isinstance(found, NoData):
            no_data[name] = found.reason
        elif found is not None:
            alerts.append(found)
    return Evaluated(sorted(alerts, key=lambda alert: SEVERITIES.index(alert.severity)), no_data)
