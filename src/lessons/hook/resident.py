"""The lines of a client that started this process in, the hook's answers to its tool calls out, until the client ends.

The client speaks JSON-RPC as it does with any tool server. This one offers no tool, so that the model never hears
of it, and answers the calls that the client makes by itself before a tool runs.
"""

import time

from lessons import __version__
from lessons.agents.claude_code.server import presence
from lessons.hook import shared_call
from lessons.store import faults, fired
from lessons.store.json_text import decode, encode
from lessons.system import environment, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Iterator
else:
    try:
        import _signal
    except ImportError:  # another interpreter
        import signal as _signal

EVENT = "PreToolUse"
TOOL = "hook"
# What says nothing: the client notes an empty text as something said.
NOTHING = "{}"
# A line beyond this is not a tool call; keeping it would only cost memory.
_LARGEST_LINE = 128 * 1024 * 1024
_NOT_JSON, _NO_REQUEST, _NO_METHOD, _NO_TOOL, _FAULT = -32700, -32600, -32601, -32602, -32603


class Unanswerable(Exception):
    """A request that is told so: a number of JSON-RPC and a few words."""


class _Ended(BaseException):
    """The client asked this process to end."""


def serve(home: str) -> None:
    """Every call is answered like one of the command, one after the other; nothing but the client's end ends it."""
    client = system.getppid()
    try:
        _signal.signal(_signal.SIGTERM, _end)
        _signal.signal(_signal.SIGHUP, _end)
        for line in _lines(home):
            reply = _reply(line, home)
            if reply:
                _write(reply.encode("ascii") + b"\n")
    except (OSError, _Ended, KeyboardInterrupt):
        pass  # nobody listens any more
    finally:
        presence.withdraw(home, client)


def load() -> None:
    """All that any call may need: what lies on the disk may be gone when it is needed."""
    import _sre  # type: ignore[import-not-found]  # noqa: F401
    import re  # noqa: F401

    b"".decode("utf-8-sig")  # the codec of a manifest
    time.strftime("", time.gmtime())


def _end(number: int, frame: object) -> None:
    raise _Ended


def _lines(home: str) -> "Iterator[bytes]":
    pieces: list[bytes] = []
    size = 0
    while data := system.read(0, 1 << 16):
        *ends, rest = data.split(b"\n")
        for end in ends:
            if size + len(end) > _LARGEST_LINE:
                faults.record(home, EVENT, "server: a line was too long and is passed over")
            else:
                yield b"".join((*pieces, end))
            pieces, size = [], 0
        size += len(rest)
        if size > _LARGEST_LINE:
            pieces = []
        elif rest:
            pieces.append(rest)


def _reply(line: bytes, home: str) -> str:
    """What goes back; empty where nothing is asked."""
    if not line.strip():
        return ""
    identifier: object = None
    try:
        message = _message(line)
        if "id" not in message:
            return ""
        identifier = message["id"]
        return encode({"jsonrpc": "2.0", "id": identifier, "result": _result(message, home)})
    except Unanswerable as reason:
        return _refusal(identifier, *reason.args)
    except Exception as fault:
        faults.record(home, EVENT, f"server: {faults.describe(fault)}")
        return _refusal(identifier if isinstance(identifier, str | int) else None, _FAULT, "internal error")


def _refusal(identifier: object, code: int, words: str) -> str:
    return encode({"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": words}})


def _message(line: bytes) -> dict[str, object]:
    try:
        message = decode(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise Unanswerable(_NOT_JSON, "not JSON") from None
    if not isinstance(message, dict):
        raise Unanswerable(_NO_REQUEST, "not a request")
    return message


def _result(message: dict[str, object], home: str) -> dict[str, object]:
    method, given = message.get("method"), message.get("params")
    parameters = given if isinstance(given, dict) else {}
    if method == "tools/call":
        if parameters.get("name") != TOOL:
            raise Unanswerable(_NO_TOOL, "no such tool")
        return {"content": [{"type": "text", "text": _answer(parameters.get("arguments"), home) or NOTHING}]}
    if method == "initialize":
        presence.announce(home)
        return {
            "protocolVersion": parameters.get("protocolVersion"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "lessons", "version": __version__},
        }
    if method == "tools/list":
        return {"tools": []}
    if method == "ping":
        return {}
    raise Unanswerable(_NO_METHOD, "no such method")


def _answer(arguments: object, home: str) -> str | None:
    """A fault is noted, and the call runs as if there were no lesson."""
    if environment("LESSONS_DISABLE") not in ("", "0"):
        return None
    try:
        fired.touch(home, EVENT)
        return shared_call.answer(payload_of(arguments), home, [])
    except Exception as fault:
        faults.record(home, EVENT, f"server: {faults.describe(fault)}")
        return None


def payload_of(arguments: object) -> dict[str, object]:
    """What the command would have got on stdin: the same fields, of which the client could send only texts."""
    payload = dict(arguments) if isinstance(arguments, dict) else {}
    sent = payload.get("tool_input")
    try:
        payload["tool_input"] = decode(sent) if isinstance(sent, str) else sent
    except (ValueError, RecursionError):
        payload["tool_input"] = None
    return payload


def _write(data: bytes) -> None:
    while data:
        data = data[system.write(1, data) :]
