"""Whether a text for the model arrived: stores a note of the call that got it, and checks it later.

The client drops a hook's text when the user rejects the call at the dialog or stops it while it runs. The transcript
records what it did send: text added before a call precedes the call's result, text added after a failure directly
follows it.
"""

from lessons.agents.hook_event import read_own_file
from lessons.store.json_text import decode, encode
from lessons.system import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from lessons.match.call import ToolCall

# A result is written soon after its call: nothing is searched further on.
_MOST_BYTES = 1024 * 1024
# Of the few calls between a failed one and its fix; half of what the client writes repeats its requests.
_MOST_BYTES_OF_CALLS = 16 * _MOST_BYTES
_LONGEST_PATH = 4096
_LONGEST_ID = 200
_ENDING = ".jsonl"
# How lines start that the client writes after everything of a result: the model's answer, a user message.
_ANSWER, _USER = b'"type":"assistant"', b'"type":"user"'
_BACKGROUND = b'"backgroundTaskId":'
_RESULT, _RECORD = b'"type":"tool_result"', b'"type":"hook_additional_context"'
_CALL = b'"type":"tool_use"'
# How the result of a call starts that the user rejected or stopped, or that was cancelled with a failed sibling.
_INTERRUPTED = "[Request interrupted by user"
_DROPPED = (
    "The user doesn't want to ",
    _INTERRUPTED,
    "Interrupted by user",
    "Sibling tool call ",
    "Cancelled: parallel ",
)


def note(call: "ToolCall", event: str, transcript: str) -> str:
    """Returns the call, and the file and offset where its result will be; empty if unknown."""
    path = _file_of(transcript, call.agent_id)
    if not path or not _is_plain(call.tool_use_id, _LONGEST_ID):
        return ""
    try:
        size = system.stat(path).st_size
    except (OSError, ValueError):
        size = 0  # it may be written only after this call
    return encode([call.tool_use_id, event, path, size])


def _file_of(transcript: str, agent_id: str) -> str:
    """A subagent has its own file, in a folder named like the session's file."""
    if not transcript.endswith(_ENDING) or len(transcript) > _LONGEST_PATH:
        return ""
    if not agent_id:
        return transcript
    folder = transcript.removesuffix(_ENDING)
    return f"{folder}/subagents/agent-{agent_id}{_ENDING}" if _is_plain(agent_id, _LONGEST_ID) else ""


def _is_plain(identifier: str, longest: int) -> bool:
    """Whether it needs no escaping in JSON and in a path."""
    return 0 < len(identifier) <= longest and identifier.replace("-", "").replace("_", "").isalnum()


def arrived(noted: str) -> bool | None:
    """True: the model got the text, or it can no longer be known. False: the text is lost. None: not known yet."""
    try:
        return _arrived(*_read(noted))
    except (OSError, ValueError, TypeError):
        return None


def is_answered(noted: str) -> bool | None:
    """Whether the model has continued after the result of that call; None: no transcript is readable."""
    try:
        return _arrived(*_read(noted)) is not None
    except (OSError, ValueError, TypeError):
        return None


def _arrived(tool_use_id: str, event: str, data: bytes) -> bool | None:
    whole = data[: data.rfind(b"\n") + 1]
    dropped, rest = None, len(whole)
    for line, read, end in _records(whole, (tool_use_id,)):
        if _RECORD in line and _is_record(read, tool_use_id, event):
            return True
        if (result := _result(read, tool_use_id)) is not None:
            is_denied = isinstance(read, dict) and "toolDenialKind" in read
            dropped, rest = result.get("is_error") is True and (is_denied or _tells_of_a_stop(result)), end
    # If a call finished, successful or not, nothing is lost; older clients keep no record of what they sent.
    if dropped is not None and _goes_on(whole, rest):
        return not dropped
    return True if len(data) == _MOST_BYTES else None  # later lines are not searched


def worked(noted: str) -> bool | None:
    """Whether that call has ended well: its result is in the transcript. None: not known, or not yet."""
    try:
        tool_use_id, _, data = _read(noted)
        for line, read, _ in _records(data[: data.rfind(b"\n") + 1], (tool_use_id,)):
            if (result := _result(read, tool_use_id)) is not None:
                # A command in the background has only begun.
                return None if _BACKGROUND in line else result.get("is_error") is not True
    except (OSError, ValueError, TypeError):
        pass
    return None


def recovered(noted: str, tool_use_id: str) -> bool | None:
    """Whether this call worked, and was made after the model had read the result of the noted one.

    False: it failed, did not run, or was made together with it. None: not known yet.
    """
    if not _is_plain(tool_use_id, _LONGEST_ID):
        return False
    try:
        failed, _, data = _read(noted, _MOST_BYTES_OF_CALLS)
        is_read = is_made = False
        for line, read, _ in _records(data[: data.rfind(b"\n") + 1], (failed, tool_use_id)):
            if _result(read, failed) is not None:
                is_read = True
            elif any(each.get("id") == tool_use_id for each in _blocks(read, "assistant", "tool_use")):
                is_made = is_read
            elif (result := _result(read, tool_use_id)) is not None:
                return is_made and result.get("is_error") is not True and _BACKGROUND not in line
    except (OSError, ValueError, TypeError):
        return None
    return False if len(data) == _MOST_BYTES_OF_CALLS else None


def _read(noted: str, most: int = _MOST_BYTES) -> "tuple[str, str, bytes]":
    """Returns the call, the event, and what was written since the note; raises what `decode` and reading raise."""
    fields = decode(noted)
    if not isinstance(fields, list):
        raise ValueError("no note")
    tool_use_id, event, path, size = fields
    return tool_use_id, event, read_own_file(path, size, most)


def _records(data: bytes, identifiers: "tuple[str, ...]") -> "Iterator[tuple[bytes, object, int]]":
    """Yields lines that may be a call, a result or a record with one of these ids: as bytes, decoded, and their end."""
    wanted, end = [b'"%s"' % identifier.encode() for identifier in identifiers], 0
    for line in data.split(b"\n"):
        end += len(line) + 1
        if (_RESULT in line or _CALL in line or _RECORD in line) and any(each in line for each in wanted):
            yield line, decode(line.decode("utf-8", "replace")), end


def _blocks(line: object, role: str, kind: str) -> "list[dict[str, object]]":
    if not isinstance(line, dict) or line.get("type") != role:
        return []
    message = line.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    blocks = content if isinstance(content, list) else ()
    return [block for block in blocks if isinstance(block, dict) and block.get("type") == kind]


def _result(line: object, tool_use_id: str) -> "dict[str, object] | None":
    """Returns the result of the call in a line; None if it has none."""
    results = _blocks(line, "user", "tool_result")
    return next((block for block in results if block.get("tool_use_id") == tool_use_id), None)


def _is_record(line: object, tool_use_id: str, event: str) -> bool:
    attachment = line.get("attachment") if isinstance(line, dict) else None
    if not isinstance(attachment, dict) or attachment.get("type") != "hook_additional_context":
        return False
    return attachment.get("toolUseID") == tool_use_id and attachment.get("hookEvent") == event


def _tells_of_a_stop(result: "dict[str, object]") -> bool:
    """Decides by the text, for clients without a field for it; a stop during a run may be below the exit code."""
    content = result.get("content")
    if isinstance(content, list) and content and isinstance(content[0], dict):
        content = content[0].get("text")
    text = content.removeprefix("<tool_use_error>") if isinstance(content, str) else ""
    below = text.partition("\n")[2] if text.startswith("Exit code ") else ""
    return text.startswith(_DROPPED) or below.startswith(_INTERRUPTED)


def _goes_on(data: bytes, position: int) -> bool:
    """Whether the model or the user has continued since: by then the result is complete."""
    return any(_ANSWER in line or (_USER in line and _RESULT not in line) for line in data[position:].split(b"\n"))
