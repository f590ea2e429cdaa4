"""Copilot CLI neither records a hook's text before a call, nor names the call: texts count as delivered."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall


def note(call: "ToolCall", event: str, transcript: str) -> str:
    return ""


def arrived(noted: str) -> bool | None:
    return True


def is_answered(noted: str) -> bool | None:
    """Unknown for this client."""
    return None
