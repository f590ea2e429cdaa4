"""Codex sends a hook's text to the model whether the call runs, fails or is denied: nothing has to be checked."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall


def note(call: "ToolCall", event: str, transcript: str) -> str:
    """Returns an empty note: the text counts as delivered."""
    return ""


def arrived(noted: str) -> bool | None:
    return True


def is_answered(noted: str) -> bool | None:
    """Returns False: nothing shows whether the model has continued since a stop."""
    return False
