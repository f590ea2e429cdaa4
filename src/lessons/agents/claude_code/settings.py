"""Our hooks in the text of a Claude Code settings file: which events are registered, and how."""

from collections.abc import Mapping

from lessons.agents import hook_settings
from lessons.agents.hook_settings import (
    BYTE_ORDER_MARK,
    TOOL,
    Handler,
    Registration,
    Wanted,
    our_handlers,
    parsed,
    read,
    remove,
    split_mark,
)

__all__ = [
    "BYTE_ORDER_MARK",
    "REGISTRATIONS",
    "TOOL",
    "Handler",
    "Wanted",
    "our_handlers",
    "parsed",
    "plan",
    "read",
    "remove",
    "split_mark",
]

REGISTRATIONS = {
    "PreToolUse": Registration(timeout=5, matcher="*"),
    "PostToolUseFailure": Registration(timeout=5, matcher="*"),
    "SessionStart": Registration(timeout=10),
    "SubagentStart": Registration(timeout=5),
    "PreCompact": Registration(timeout=10),
    "Stop": Registration(timeout=5),
    "SessionEnd": Registration(timeout=5),
    "PostToolUse": Registration(timeout=5, matcher="Bash", condition="Bash(git commit:*)"),
}


def plan(settings_text: str | None, wanted: Mapping[str, Wanted], file: str = "settings.json") -> str:
    """Returns the settings with exactly our command, or our handlers, for each event."""
    return hook_settings.plan(settings_text, wanted, REGISTRATIONS, file)
