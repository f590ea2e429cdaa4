"""How a call ended, by the text that the model got: older files have nothing else, newer ones for some calls too."""

import json
import re
from typing import Any, NamedTuple

from lessons.agents.jsonl import storable
from lessons.agents.outcomes import DENIED_BY_HOOK, Verdict
from lessons.failure.clean import FRAME_START

_HEAD_LINE = re.compile(
    r"(?:Chunk ID: |Wall time:? |Original token count: |Total output lines: |Warning: |Exit code: (-?\d{1,10})$"
    r"|Process exited with code (-?\d{1,10})|Process running with session ID (\d{1,20}))"
)
_OUTPUT = "Output:"
_MOST_HEAD_LINES = 8
_JSON_RESULT = re.compile(r'\{"output":.*"metadata":\{.{0,200}?"exit_code":(-?\d{1,10})', re.DOTALL)
_REFUSED = (
    "Command blocked by ",
    "exec command rejected by user",
    "patch rejected",
    "user rejected ",
)
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
UNKNOWN, OK = Verdict("unknown", None), Verdict("ok", None)


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
    return _of_json(text) if text.startswith('{"output":') else _by_words(text)


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


def _of_json(text: str) -> Ending:
    """Handles clients of 2025, which wrapped the output of a shell."""
    try:
        result: Any = storable(json.loads(text))
        code, printed = result["metadata"]["exit_code"], result["output"]
        if isinstance(code, int) and isinstance(printed, str):
            return exited(code, printed)
    except (ValueError, KeyError, TypeError):
        pass
    found = _JSON_RESULT.match(text)  # it was cut in the middle
    return exited(int(found[1]), text) if found else Ending(OK, text)


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
        return Ending(Verdict("refused", None), text) if refused else Ending(failed().verdict, framed(text))
    if start.startswith(_SCRIPT_RUNS):
        return Ending(UNKNOWN, text)
    if start.startswith(_SCRIPT_FAILED):
        return Ending(failed().verdict, framed(text))
    return Ending(OK, text)


def failed(text: str = "") -> Ending:
    return Ending(Verdict("failed", None), text)


def framed(text: str) -> str:
    """Marks a message as the client's own: it is self-explanatory for the model."""
    return f"{FRAME_START}{text}</tool_use_error>"
