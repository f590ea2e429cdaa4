"""The tools of Codex under the names that all agents share, and how a call of them ended.

The model gets a text about the end, which is all that older files have. Newer ones have structured items beside it; in
code mode the model calls `exec` with a script, and only these items show what the script calls.
"""

import re
from typing import NamedTuple

import msgspec

from lessons.agents.events import DENIED_BY_HOOK, RESULT_ENDS, Called, Event, Returned, Verdict
from lessons.agents.object_lines import NOTHING, anything_of, ends_of, first_byte, start_of
from lessons.failure.error_text import FRAME_START
from lessons.match.call import command_of

Arguments = dict[object, object]

_MOST_INPUT_CHARACTERS = 1 << 20
_SHELLS = frozenset(("exec_command", "shell", "local_shell", "shell_command", "container.exec", "local_shell_call"))
_PATCH = "apply_patch"
_POLL = "write_stdin"
_ADDS, _MARKS = "*** Add File: ", ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")


def named(name: str, namespace: str) -> str:
    """Adds the server's name to a server's tool; the client's own tools keep their name."""
    return f"{namespace}__{name}" if namespace.startswith("mcp__") else name


def canonical(tool: str, arguments: Arguments) -> tuple[str, Arguments]:
    """Renames a shell to Bash, a patch to Edit, or to Write if it only adds files."""
    if tool in _SHELLS:
        words = arguments.get("command")
        if isinstance(words, list) and len(words) == 2 and words[0] == _PATCH and isinstance(words[1], str):
            return patched(words[1])
        kept = {key: value for key, value in arguments.items() if key not in ("cmd", "command")}
        return "Bash", {"command": command_of(arguments) or "", **kept}
    if tool == _PATCH:
        patch = arguments.get("input", arguments.get("patch"))
        return patched(patch if isinstance(patch, str) else "")
    return tool, arguments


def patched(patch: str) -> tuple[str, Arguments]:
    """Returns what a patch touches, adds and removes."""
    paths, added, removed = dict[str, None](), list[str](), list[str]()
    only_adds = True
    for line in patch.split("\n"):
        if line.startswith("+"):
            added.append(line[1:])
        elif line.startswith("-"):
            removed.append(line[1:])
        elif line.startswith(_MARKS):
            paths[line.partition(": ")[2].strip()] = None
            only_adds = only_adds and line.startswith(_ADDS)
    files: Arguments = {"file_path": next(iter(paths), "")}
    if len(paths) > 1:
        files["paths"] = list(paths)[1:]
    if paths and only_adds:
        return "Write", {**files, "content": "\n".join(added)}
    return "Edit", {**files, "old_string": "\n".join(removed), "new_string": "\n".join(added)}


def arguments_of(given: msgspec.Raw, written: msgspec.Raw) -> Arguments:
    """Returns a function's decoded JSON string, or the text of a tool that takes text."""
    if first_byte(written) == b'"':
        return {"input": start_of(written, _MOST_INPUT_CHARACTERS)}
    try:
        found = anything_of(given)
        found = anything_of(found) if isinstance(found, str) else found
    except msgspec.MsgspecError:  # the model wrote something else
        return {"input": start_of(given, _MOST_INPUT_CHARACTERS)}
    return found if isinstance(found, dict) else {}


def folder_of(arguments: Arguments) -> str:
    """Returns the working folder of a shell call, if it is an absolute path."""
    folder = arguments.get("workdir", arguments.get("working_directory"))
    return folder if isinstance(folder, str) and folder.startswith("/") else ""


def polled_process(tool: str, arguments: Arguments) -> str:
    """Returns the process that a call polls."""
    return str(arguments.get("session_id") or "") if tool == _POLL else ""


_HEAD_LINE = re.compile(
    r"(?:Chunk ID: |Wall time:? |Original token count: |Total output lines: |Warning: |Exit code: (-?\d{1,10})$"
    r"|Process exited with code (-?\d{1,10})|Process running with session ID (\d{1,20}))"
)
_OUTPUT = "Output:"
_MOST_HEAD_LINES = 8
_REFUSED = ("Command blocked by ", "exec command rejected by user", "patch rejected", "user rejected ")
_BY_HOOK = "Command blocked by PreToolUse hook: "
_BEHIND_REASON = ". Command: "
_REFUSED_INSIDE = re.compile(r"rejected by user\b|rejected: |Rejected\(\"|requires approval by policy")
_LOOKED_AT = 400
_INTERRUPTED = ("aborted by user", "command aborted by user", "aborted\n")
# The client's own messages about a call that it could not make.
_NOT_MADE = (
    "apply_patch verification failed",
    "apply_patch handler received ",
    "unsupported call: ",
    "unsupported custom tool call: ",
    "failed to parse ",
    "tool call error: ",
    "exec_command failed ",
    "write_stdin failed",
    "execution error: ",
    "unable to locate image at ",
    "Fatal error: ",
)
_SCRIPT_FAILED = ("Script failed", "Script error")
_SCRIPT_RUNS = "Script running "
_NO_CODE = -1  # of a process that was still running when the client ended
UNKNOWN, OK, _FAILED = Verdict("unknown", None), Verdict("ok", None), Verdict("failed", None)


class Ending(NamedTuple):
    """How it ended, its output (with the exit code above it if it failed), and the process that continues."""

    verdict: Verdict
    text: str
    process: str = ""


def ending_of(text: str) -> Ending:
    """Parses the output of a call; the text may be cut in the middle."""
    head = _head_of(text)
    if head and head.process:
        return Ending(UNKNOWN, head.printed, head.process)
    if head and head.code is not None:
        return exited(head.code, head.printed)
    if head:
        # A patch in a shell line has its own head below that of the line.
        inner = _head_of(head.printed)
        return exited(inner.code, inner.printed) if inner and inner.code is not None else _by_words(head.printed)
    return _by_words(text)


def exited(code: int, printed: str) -> Ending:
    """For a process with a known exit code."""
    if code == _NO_CODE:
        return Ending(UNKNOWN, printed)
    return (
        Ending(Verdict("failed", code), f"Exit code {code}\n{printed}") if code else Ending(Verdict("ok", 0), printed)
    )


class _Head(NamedTuple):
    """The client's lines above an output, and the output."""

    code: int | None
    process: str
    printed: str


def _head_of(text: str) -> _Head | None:
    """Returns None if the text has no such lines: a program's output may look like one of them."""
    code, process = None, ""
    lines = text.split("\n", _MOST_HEAD_LINES)
    for number, line in enumerate(lines[:_MOST_HEAD_LINES]):
        if line == _OUTPUT and number:
            return _Head(code, process, "\n".join(lines[number + 1 :]))
        head = _HEAD_LINE.match(line)
        if head is None:
            return None
        given = head[1] or head[2]
        code, process = int(given) if given else code, head[3] or process
    return None


def _by_words(text: str) -> Ending:
    start = text[:_LOOKED_AT]
    if start.startswith(_INTERRUPTED) or start == "aborted":
        return Ending(Verdict("interrupted", None), text)
    if start.startswith(_BY_HOOK):
        return Ending(DENIED_BY_HOOK, text.removeprefix(_BY_HOOK).partition(_BEHIND_REASON)[0])
    if start.startswith(_REFUSED):
        return Ending(Verdict("refused", None), text)
    if start.startswith(_NOT_MADE):
        refused = _REFUSED_INSIDE.search(start)
        return Ending(Verdict("refused", None), text) if refused else _not_made(text)
    if start.startswith(_SCRIPT_RUNS):
        return Ending(UNKNOWN, text)
    if start.startswith(_SCRIPT_FAILED):
        return _not_made(text)
    return Ending(OK, text)


def _not_made(text: str) -> Ending:
    """Marks a message as the client's own: it is self-explanatory for the model."""
    return Ending(_FAILED, f"{FRAME_START}{text}</tool_use_error>")


# Raw parts may be long and are decoded only if needed.


class RawCompleted(msgspec.Struct, gc=False):
    """What the client did, with its end: written by newer clients."""

    type: str = ""
    id: str | None = None
    status: str | None = None
    command: msgspec.Raw = NOTHING
    cwd: str | None = None
    source: str | None = None
    aggregated_output: msgspec.Raw = NOTHING
    exit_code: object = None
    changes: msgspec.Raw = NOTHING
    stdout: msgspec.Raw = NOTHING
    stderr: msgspec.Raw = NOTHING
    server: str | None = None
    tool: str | None = None
    arguments: msgspec.Raw = NOTHING
    result: msgspec.Raw = NOTHING
    error: msgspec.Raw = NOTHING
    content: msgspec.Raw = NOTHING


class RawToolResult(msgspec.Struct, rename="camel", gc=False):
    """The result of a server's tool."""

    content: msgspec.Raw = NOTHING


_tool_result_of = msgspec.json.Decoder(RawToolResult).decode
_IN_SCRIPT = "exec-"
_COMMAND_ITEM, _CHANGE, _SERVER_TOOL = "CommandExecution", "FileChange", "McpToolCall"
KNOWN_ITEMS = frozenset(
    "CommandExecution FileChange McpToolCall UserMessage AgentMessage HookPrompt Reasoning ContextCompaction"
    " CollabAgentToolCall SubAgentActivity WebSearch ImageView Plan DynamicToolCall".split()
)
# A person ran it in the client's own prompt: not a call of the agent.
_BY_PERSON = frozenset(("user_shell", "userShell"))


def end_events(item: RawCompleted, name: str) -> list[Event]:
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
    if item.type == _COMMAND_ITEM:
        text, code = ends_of(item.aggregated_output, RESULT_ENDS, RESULT_ENDS), item.exit_code
        if isinstance(code, int) and not isinstance(code, bool):
            return exited(code, text)
        return Ending(status_verdict(item.status), text)
    if item.type == _CHANGE:
        printed = [ends_of(text, RESULT_ENDS, RESULT_ENDS) for text in (item.stderr, item.stdout)]
        return Ending(status_verdict(item.status), "\n".join(filter(None, printed)))
    if item.type == _SERVER_TOOL:
        result = _tool_result_of(item.result) if first_byte(item.result) == b"{" else None
        text = ends_of(result.content, RESULT_ENDS, RESULT_ENDS) if result else ""
        return Ending(status_verdict(item.status), text or ends_of(item.error, RESULT_ENDS, RESULT_ENDS))
    return None


def status_verdict(status: str | None) -> Verdict:
    """Converts the client's status."""
    if status == "completed":
        return OK
    if status == "declined":
        return Verdict("refused", None)
    return _FAILED if status == "failed" else UNKNOWN


def _asked(item: RawCompleted) -> tuple[str, dict[object, object]]:
    if item.type == _COMMAND_ITEM:
        return canonical("shell", {"command": anything_of(item.command)})
    if item.type == _CHANGE:
        changes = anything_of(item.changes)
        paths = list(changes) if isinstance(changes, dict) else []
        return "Edit", {"file_path": paths[0] if paths else "", "paths": paths[1:]}
    return f"mcp__{item.server}__{item.tool}", arguments_of(item.arguments, item.command)
