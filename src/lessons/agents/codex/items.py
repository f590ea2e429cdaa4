"""What the client did, and how it ended: structured, unlike the text that the model gets.

In code mode the model calls `exec` with a script, and only these items show what the script calls.
"""

import msgspec

from lessons.agents.codex import calls
from lessons.agents.codex.outcome import OK, UNKNOWN, Ending, exited, failed
from lessons.agents.codex.records import RawCompleted, RawEvent, ended_of, tool_result_of
from lessons.agents.events import RESULT_ENDS, Called, Event, Returned
from lessons.agents.long_text import anything_of, ends_of, first_byte, parts_of
from lessons.agents.outcomes import Verdict

_IN_SCRIPT = "exec-"
_COMMAND, _CHANGE, _SERVER_TOOL = "CommandExecution", "FileChange", "McpToolCall"
KNOWN = frozenset(
    (_COMMAND, _CHANGE, _SERVER_TOOL, "UserMessage", "AgentMessage", "HookPrompt", "Reasoning", "ContextCompaction")
) | frozenset(("CollabAgentToolCall", "SubAgentActivity", "WebSearch", "ImageView", "Plan", "DynamicToolCall"))
# A person ran it in the client's own prompt: not a call of the agent.
_BY_PERSON = frozenset(("user_shell", "userShell"))
_LONGEST_ARGUMENTS = 1 << 20
_FILE = "file://"


def told_by(item: RawCompleted, name: str) -> list[Event]:
    """Returns the end of a call, and the call itself if no other record has it."""
    if item.source in _BY_PERSON:
        return []
    ending = _ending(item)
    if ending is None:
        return []
    returned = Returned(name, ending.verdict, ending.text)
    if not name.startswith(_IN_SCRIPT):
        return [returned]
    tool, arguments = _asked(item)
    return [Called(name, name, "", tool, arguments), returned]


def _ending(item: RawCompleted) -> Ending | None:
    if item.type == _COMMAND:
        return _of_command(item.exit_code, item.aggregated_output, item.status)
    if item.type == _CHANGE:
        printed = [ends_of(text, RESULT_ENDS, RESULT_ENDS) for text in (item.stderr, item.stdout)]
        return Ending(of_status(item.status), "\n".join(filter(None, printed)))
    if item.type == _SERVER_TOOL:
        result = tool_result_of(item.result) if first_byte(item.result) == b"{" else None
        text = ends_of(result.content, RESULT_ENDS, RESULT_ENDS) if result else ""
        return Ending(of_status(item.status), text or ends_of(item.error, RESULT_ENDS, RESULT_ENDS))
    return None


def _of_command(code: object, output: msgspec.Raw, status: str | None) -> Ending:
    text = ends_of(output, RESULT_ENDS, RESULT_ENDS)
    if isinstance(code, int) and not isinstance(code, bool):
        return exited(code, text)
    return Ending(of_status(status), text)


def of_status(status: str | None) -> Verdict:
    """Converts the client's status."""
    if status == "completed":
        return OK
    if status == "declined":
        return Verdict("refused", None)
    return failed().verdict if status == "failed" else UNKNOWN


def _asked(item: RawCompleted) -> tuple[str, dict[object, object]]:
    if item.type == _COMMAND:
        words = anything_of(item.command) if len(memoryview(item.command)) <= _LONGEST_ARGUMENTS else None
        return calls.canonical("shell", {"command": words})
    if item.type == _CHANGE:
        paths = list(parts_of(item.changes))
        return "Edit", {"file_path": paths[0] if paths else "", "paths": paths[1:]}
    return f"mcp__{item.server}__{item.tool}", calls.arguments_of(item.arguments, item.command)


def folder_of(item: RawCompleted) -> str:
    return (item.cwd or "").removeprefix(_FILE)


def old_end(event: RawEvent, name: str) -> Returned | None:
    """Returns the same from files of older clients, which have a separate event for each kind."""
    if event.type == "exec_command_end":
        ending = _of_command(event.exit_code, event.aggregated_output, None)
    elif event.type == "patch_apply_end" and isinstance(event.success, bool):
        printed = [ends_of(text, RESULT_ENDS, RESULT_ENDS) for text in (event.stderr, event.stdout)]
        text = "\n".join(filter(None, printed))
        ending = Ending(OK, text) if event.success else failed(text)
    elif event.type == "mcp_tool_call_end" and first_byte(event.result) == b"{":
        ending = _of_server(event.result)
    else:
        return None
    return Returned(name, ending.verdict, ending.text)


def _of_server(result: msgspec.Raw) -> Ending:
    ended = ended_of(result)
    if ended.came_back is None:
        return failed(ends_of(ended.fault, RESULT_ENDS, RESULT_ENDS))
    text = ends_of(ended.came_back.content, RESULT_ENDS, RESULT_ENDS)
    return failed(text) if ended.came_back.is_error is True else Ending(OK, text)
