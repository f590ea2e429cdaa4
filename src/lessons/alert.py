"""The nouns of alerts: a problem for the user to act on, and how often it was shown."""

from typing import Literal

import msgspec

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


class _Document(msgspec.Struct, rename="camel", kw_only=True, omit_defaults=False):
    """Uses camel-case names, as in the files."""


class Alert(_Document):
    """One thing to act on, with the one action for it."""

    id: str
    severity: Severity
    message: str
    action: str
    # What an acknowledgement covers: a problem that changed, or became much larger, gets another mark.
    mark: str = ""
    of_project: bool = True  # False: it is about the whole installation
    at_start: bool = True  # whether a session start mentions it


class AlertRecord(_Document):
    """The stored state of an alert between two runs, without its text."""

    mark: str = ""
    severity: Severity = "info"
    since: str = ""
    last_raised: str = ""
    shown: int = 0  # at how many session starts
    last_shown: str = ""
    acknowledged: bool = False


class AlertsBaseline(_Document):
    """`alerts-baseline.json`: the alerts of the last run that a person looked at, and how each was shown."""

    timestamp: str = ""  # of that run
    seen: dict[str, Severity] = {}  # id -> severity in that run
    alerts: dict[str, AlertRecord] = {}
