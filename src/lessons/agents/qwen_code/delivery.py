"""Whether a text for the model arrived: Qwen Code adds it to the result of a call, which always reaches the model."""

from lessons.agents.hook_event import read_own_file
from lessons.store.json_text import decode, encode
from lessons.system import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall

_MOST_BYTES = 1024 * 1024
_LONGEST_PATH = 4096


def note(call: "ToolCall", event: str, transcript: str) -> str:
    """Returns the call, and the file and offset where its result will be; empty if unknown."""
    if not call.tool_use_id or call.agent_id or not 0 < len(transcript) <= _LONGEST_PATH:
        return ""
    try:
        size = system.stat(transcript).st_size
    except (OSError, ValueError):
        size = 0  # it may be written only after this call
    return encode([call.tool_use_id.partition("@")[0], transcript, size])


def arrived(noted: str) -> bool | None:
    return True


def is_answered(noted: str) -> bool | None:
    """Whether the result of that call was written, so that the model continues; None: no transcript is readable."""
    try:
        fields = decode(noted)
        if not isinstance(fields, list):
            return None
        identifier, path, size = fields
        written = read_own_file(path, size, _MOST_BYTES)
        return b'"type":"tool_result"' in written and b'"id":"%s"' % identifier.encode() in written
    except (OSError, ValueError, TypeError, AttributeError):
        return None
