"""The toy agent never loses a hook's text."""

from lessons.match.call import ToolCall


def note(call: ToolCall, event: str, transcript: str) -> str:
    """What `arrived` will need to find the words again; empty: they count as delivered."""
    return ""


def arrived(noted: str) -> bool | None:
    """True: delivered. False: lost, so the lesson may come again. None: not known yet."""
    return True
