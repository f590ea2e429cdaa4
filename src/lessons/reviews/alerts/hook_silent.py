"""The hook is installed and sessions run, but it does not fire."""

import time
from datetime import UTC, datetime

from lessons.agents.hook_event import BEFORE_CALL, SESSION_END, SESSION_START, TURN_END
from lessons.agents.table import DEFAULT_AGENT
from lessons.alert import Alert
from lessons.reviews.alerts.view import Finding, NoData, View
from lessons.store import fired
from lessons.store.project_state.timestamps import seconds

ID = "hook-silent"
_EVENTS = (SESSION_START, BEFORE_CALL, TURN_END, SESSION_END)
_SLACK_SECONDS = 3600


def look(view: View) -> Finding:
    """Checks agents whose settings have the hook; a plugin installs the default agent's hook without settings."""
    moments = [moment for event in _EVENTS if (moment := fired.last(view.home, event)) is not None]
    last, hooked = max(moments, default=None), view.hooked()
    if last is None and not hooked:
        return NoData("no hook is installed, and none has fired")
    since = {agent: max(installed, last or 0.0) for agent, installed in (hooked or {DEFAULT_AGENT: 0.0}).items()}
    newest = max(_silent_until(view, agent, moment) for agent, moment in since.items())
    if not newest:
        return NoData("the hook is installed and has not fired yet") if last is None else None
    silent = "never fired" if last is None else f"not fired since {time.strftime('%Y-%m-%d', time.localtime(last))}"
    until = f"{datetime.fromtimestamp(newest, UTC):%Y-%m-%d}"
    message = f"The hook has {silent}, although sessions ran until {until}."
    return Alert(id=ID, severity="error", message=message, action="lessons doctor", mark=silent, of_project=False)


def _silent_until(view: View, agent: str, since: float) -> float:
    """Returns the end of the newest session that should have fired the hook; 0 if there is none.

    A session that was open before uses the settings that it started with, so only later ones count.
    """
    newest = seconds(view.last_record(agent, since))
    return newest if newest > since + _SLACK_SECONDS else 0.0
