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
    newest = seconds(view.last_record(hooked or {DEFAULT_AGENT}))
    if last is None and not newest:
        return NoData("the hook is installed and has not fired yet")
    if newest <= (last or 0.0) + _SLACK_SECONDS:
        return None
    since = "never" if last is None else f"not since {time.strftime('%Y-%m-%d', time.localtime(last))}"
    until = f"{datetime.fromtimestamp(newest, UTC):%Y-%m-%d}"
    message = f"The hook has fired {since}, but sessions ran until {until}."
    return Alert(id=ID, severity="error", message=message, action="lessons doctor", mark=since, of_project=False)
