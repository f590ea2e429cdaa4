"""Gemini CLI gives hints with the result of a call, in the same message: none is lost without the result."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall


def note(call: "ToolCall", event: str, transcript: str) -> str:
    """Empty: the words count as delivered."""
    return ""


def arrived(noted: str) -> bool | None:
    return True


def is_answered(noted: str) -> bool | None:
    """Nothing tells whether the model has gone on since a stop."""
    return False
