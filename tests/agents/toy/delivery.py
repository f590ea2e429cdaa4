"""The toy agent never loses a hook's words."""

from lessons.match.call import ToolCall


def note(call: ToolCall, event: str, transcript: str) -> str:
    return ""


def arrived(noted: str) -> bool | None:
    return True
