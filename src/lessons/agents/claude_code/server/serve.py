"""The resident server: reads the client's lines and writes the hook's answers to its tool calls, until the client ends.

The client speaks JSON-RPC as it does with any tool server. This one offers no tool, so that the model never hears
of it, and answers the calls that the client makes by itself before a tool runs.
"""

from lessons import __version__
from lessons.agents.claude_code import wire
from lessons.agents.claude_code.server import presence, shared_call
from lessons.store import faults, fired
from lessons.store.json_text import decode, encode
from lessons.system import environment, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Iterator

    from lessons.agents.claude_code.server.shared_call import CallHandler
else:
    try:
        import _signal
    except ImportError:  # another interpreter
        import signal as _signal

EVENT = "PreToolUse"
TOOL = "hook"
# What says nothing: the client notes an empty text as something said.
NOTHING = "{}"
# A longer line is not a tool call; keeping it would only cost memory.
_LARGEST_LINE = 128 * 1024 * 1024
_NOT_JSON, _NO_REQUEST, _NO_METHOD, _NO_TOOL, _FAULT = -32700, -32600, -32601, -32602, -32603


class Unanswerable(Exception):
    """A request that is refused: an error code of JSON-RPC and a few words."""


class _Ended(BaseException):
    """The client asked this process to end."""


def serve(home: str, handler: "CallHandler") -> None:
    """Answers every call as the command would, one after the other; ends only with the client."""
    client = system.getppid()
    server = Server(home, handler)
    try:
        _signal.signal(_signal.SIGTERM, _end)
        _signal.signal(_signal.SIGHUP, _end)
        for line in _lines(home):
            reply = server.reply(line)
            if reply:
                _write(reply.encode("ascii") + b"\n")
    except (OSError, _Ended, KeyboardInterrupt):
        pass  # nobody listens any more
    finally:
        presence.withdraw(home, client)


class Server:
    """Answers the client's requests, one line each."""

    def __init__(self, home: str, handler: "CallHandler") -> None:
        self._home = home
        self._handler = handler

    def reply(self, line: bytes) -> str:
        """What goes back; empty where nothing is asked."""
        if not line.strip():
            return ""
        identifier: object = None
        try:
            message = _message(line)
            if "id" not in message:
                return ""
            identifier = message["id"]
            return encode({"jsonrpc": "2.0", "id": identifier, "result": self._result(message)})
        except Unanswerable as reason:
            return _refusal(identifier, *reason.args)
        except Exception as fault:
            faults.record(self._home, EVENT, f"server: {faults.describe(fault)}")
            return _refusal(identifier if isinstance(identifier, str | int) else None, _FAULT, "internal error")

    def _result(self, message: dict[str, object]) -> dict[str, object]:
        method, given = message.get("method"), message.get("params")
        parameters = given if isinstance(given, dict) else {}
        if method == "tools/call":
            if parameters.get("name") != TOOL:
                raise Unanswerable(_NO_TOOL, "no such tool")
            return {"content": [{"type": "text", "text": self._answer(parameters.get("arguments")) or NOTHING}]}
        if method == "initialize":
            presence.announce(self._home)
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

    def _answer(self, arguments: object) -> str:
        """A fault is logged, and the call runs as if there were no lesson."""
        if environment("LESSONS_DISABLE") not in ("", "0"):
            return ""
        try:
            fired.touch(self._home, EVENT)
            event = wire.parse(EVENT, payload_of(arguments))
            answer = shared_call.answer_of_server(event, self._home, self._handler) if event else None
            return wire.render(event, answer) if event and answer else ""
        except Exception as fault:
            faults.record(self._home, EVENT, f"server: {faults.describe(fault)}")
            return ""


def payload_of(arguments: object) -> dict[str, object]:
    """What the command would have got on stdin: the same fields, of which the client could send only texts."""
    payload = dict(arguments) if isinstance(arguments, dict) else {}
    sent = payload.get("tool_input")
    try:
        payload["tool_input"] = decode(sent) if isinstance(sent, str) else sent
    except (ValueError, RecursionError):
        payload["tool_input"] = None
    return payload


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


def _message(line: bytes) -> dict[str, object]:
    try:
        message = decode(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise Unanswerable(_NOT_JSON, "not JSON") from None
    if not isinstance(message, dict):
        raise Unanswerable(_NO_REQUEST, "not a request")
    return message


def _refusal(identifier: object, code: int, words: str) -> str:
    return encode({"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": words}})


def _write(data: bytes) -> None:
    while data:
        data = data[system.write(1, data) :]
