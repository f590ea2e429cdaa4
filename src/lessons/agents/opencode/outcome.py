"""How a call of opencode ended, by the state of its part."""

import re

from lessons.agents.outcomes import Verdict

# Our plugin's error to deny a call starts like this; a tool's own error never does.
DENIED = "Denied by a lesson of the user. "
# Fixed sentences of the client.
_REFUSED = (
    DENIED,
    "The user rejected permission to use this specific tool call",
    "The user has specified a rule which prevents you from using this specific tool call",
    "The user dismissed this question",
)
_ABORTED = "Tool execution aborted"
_STOPPED = re.compile(r"<(?:shell|bash)_metadata>\n[^\n]{0,40}[Uu]ser aborted the command")
_INVALID = "invalid"


def verdict_of(tool: str, state: dict[str, object]) -> tuple[Verdict, str]:
    """Returns the verdict, and the output."""
    if state.get("status") == "error":
        error = _text(state.get("error"))
        if error.startswith(_REFUSED):
            return Verdict("refused", None), error
        return Verdict("interrupted" if error.startswith(_ABORTED) else "failed", None), error
    printed = _text(state.get("output"))
    metadata = state.get("metadata")
    code = metadata.get("exit", 0) if isinstance(metadata, dict) else 0
    if isinstance(code, int) and not isinstance(code, bool) and code:
        return Verdict("failed", code), printed
    # A command without an exit code was ended by its time limit or by the user; a call of a missing tool is completed
    # by a tool of the client itself.
    if code is None or tool == _INVALID:
        return Verdict("interrupted" if _STOPPED.search(printed[-1_000:]) else "failed", None), printed
    is_shell = isinstance(metadata, dict) and "exit" in metadata
    return Verdict("ok", 0 if is_shell else None), printed


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
