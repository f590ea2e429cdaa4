"""`lessons alerts`: shows what needs your attention, what has changed since you last looked, and what is unknown."""

import sys
import time

import click
import msgspec

from lessons.agents.found import hooked_since
from lessons.cli import render
from lessons.cli.options import cwd_option, data_home, folder_of
from lessons.continuity import git
from lessons.continuity.commits import state_of
from lessons.errors import KeptOut
from lessons.promote.queue import export
from lessons.reviews.alert_state import AlertReport, report_alerts
from lessons.reviews.alerts import View
from lessons.reviews.review_log import run_consolidation
from lessons.store import logs
from lessons.store.state_paths import StatePaths, state_paths_of

_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


@click.command("alerts", short_help="Show what needs your attention")
@click.option("--ack", metavar="ID", multiple=True, help="Acknowledge this alert: it is shown again only if it grows.")
@click.option("--all", "everything", is_flag=True, help="Acknowledge all of them.")
@click.option("--auto", "automatic", is_flag=True, hidden=True, help="Prepare the line of the next session start.")
@cwd_option
@render.json_option
def command(ack: tuple[str, ...], everything: bool, automatic: bool, cwd: str | None) -> None:
    """Show what needs your attention, with one action for each, and what has changed since you last looked.

    A session start shows new alerts in one line, each at most 3 times. Alerts that could not be measured are listed as
    such; missing data never counts as healthy.
    """
    if ack and everything:
        raise click.UsageError("Give --ack or --all, not both.")
    place = state_paths_of(data_home(), folder_of(cwd))
    chosen = ack or (() if everything else None)
    try:
        if automatic:
            _consolidate(place)
        view = View(place, time.time(), _uncommitted, hooked_since)
        report = report_alerts(view, by_person=not automatic, acknowledge=chosen)
    except Exception as fault:
        if automatic:  # in the background nobody reads the output
            logs.record_fault(place.home, "alerts", logs.describe_fault(fault))
        raise
    alerts = []
    for alert in report.alerts:
        record = report.records.get(alert.id)
        alerts.append(
            {
                **{name: getattr(alert, name) for name in ("id", "severity", "message", "action")},
                "since": record.since if record else "",
                "acknowledged": bool(record and record.acknowledged),
                "shown": record.shown if record else 0,
            }
        )
    delta = msgspec.to_builtins(report.delta) if report.delta else None
    document = {"alerts": alerts, "noData": report.no_data, "delta": delta}
    acknowledged = {str(alert["id"]) for alert in alerts if alert["acknowledged"]}
    render.emit(document, lambda: _print(report, acknowledged, is_acknowledging=chosen is not None))


def _uncommitted(root: str) -> int | None:
    return state_of(root).uncommitted_count if git.has_repository(root) else None


def _consolidate(place: StatePaths) -> None:
    try:
        if run_consolidation(place, automatic=True) is not None:
            export(place.home)
    except KeptOut:
        pass


def _print(report: AlertReport, acknowledged: set[str], is_acknowledging: bool) -> None:
    for alert in report.alerts:
        state = " (acknowledged)" if alert.id in acknowledged else ""
        level = click.style(alert.severity, fg=_COLOURS[alert.severity])
        text = render.printable(f"{alert.severity} {alert.id}{state}: {alert.message} Run `{alert.action}`.")
        click.echo(level + render.folded(text, sys.stdout, hanging=2).removeprefix(alert.severity))
    if not report.alerts:
        render.say("No alerts." if not report.no_data else "No alerts among what could be measured.")
    if report.delta:
        parts = [(name, getattr(report.delta, name)) for name in ("new", "worse", "resolved")]
        changes = "; ".join(f"{name}: {', '.join(ids)}" for name, ids in parts if ids) or "nothing has changed"
        render.note(f"Since {report.delta.since[:16].replace('T', ' ')}: {changes}.")
    for name, reason in report.no_data.items():
        render.note(f"not measured {name}: {reason}.")
    if not is_acknowledging and any(alert.id not in acknowledged for alert in report.alerts):
        render.note("`lessons alerts --ack ID` (or --all) stops showing it at session starts.")
