"""Codex sends a hook's words to the model whether the call runs, fails or is denied: nothing has to be looked for."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall


def note(call: "ToolCall", event: str, transcript: str) -> str:
    """Empty: the words count as delivered."""
    return ""


def arrived(noted: str) -> bool | None:
    return True
