"""The resident server: reads the client's lines and writes the hook's answers to its tool calls, until the client ends.

The client uses JSON-RPC as with any tool server. This one lists no tool, so that the model never sees it, and answers
the calls that the client itself makes before a tool runs.
"""

from lessons import __version__
from lessons.agents.claude_code import wire
from lessons.agents.claude_code.server import presence, shared_call
from lessons.agents.hook_event import LARGEST_PAYLOAD, NOT_EXAMINED
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
# An empty answer: the client would record an empty text as output.
NOTHING = "{}"
# The arguments of a call are a text in its line, so every quote and newline in them takes twice the space.
_LARGEST_LINE = 2 * LARGEST_PAYLOAD + (1 << 16)
# Kept from both ends of a longer line: the client puts the request id first or last.
_EDGE = 100
_FIRST, _LAST = b'{"jsonrpc":"2.0","id":', b'"jsonrpc":"2.0","id":'
_NOT_JSON, _NO_REQUEST, _NO_METHOD, _NO_TOOL, _FAULT = -32700, -32600, -32601, -32602, -32603


class Unanswerable(Exception):
    """A rejected request: an error code of JSON-RPC and a short message."""


class _Ended(BaseException):
    """The client asked this process to end."""


def serve(home: str, handler: "CallHandler") -> None:
    """Answers every call as the command would, one after the other; ends only with the client."""
    client = system.getppid()
    server = Server(home, handler)
    try:
        _signal.signal(_signal.SIGTERM, _end)
        _signal.signal(_signal.SIGHUP, _end)
        for line, is_whole in _lines():
            reply = server.reply(line) if is_whole else server.reply_unread(line)
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
        """Returns the reply; empty if none is needed."""
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

    def reply_unread(self, edges: bytes) -> str:
        """Answers a call that is too large to examine: it runs at once, as if there were no lesson."""
        faults.record(self._home, EVENT, NOT_EXAMINED)
        identifier = _identifier_in(edges)
        if identifier is None:
            return ""
        return encode({"jsonrpc": "2.0", "id": identifier, "result": _content(NOTHING)})

    def _result(self, message: dict[str, object]) -> dict[str, object]:
        method, given = message.get("method"), message.get("params")
        parameters = given if isinstance(given, dict) else {}
        if method == "tools/call":
            if parameters.get("name") != TOOL:
                raise Unanswerable(_NO_TOOL, "no such tool")
            return _content(self._answer(parameters.get("arguments")) or NOTHING)
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
        """Logs a fault, and lets the call run as if there were no lesson."""
        if environment("LESSONS_DISABLE") not in ("", "0"):
            return ""
        try:
            fired.touch(self._home, EVENT)
            if _is_too_large(arguments):
                faults.record(self._home, EVENT, NOT_EXAMINED)
                return ""
            event = wire.parse(EVENT, payload_of(arguments))
            answer = shared_call.answer_of_server(event, self._home, self._handler) if event else None
            return wire.render(event, answer) if event and answer else ""
        except Exception as fault:
            faults.record(self._home, EVENT, f"server: {faults.describe(fault)}")
            return ""


def payload_of(arguments: object) -> dict[str, object]:
    """Returns the command's stdin for this call: the same fields, of which the client could send only texts."""
    payload = dict(arguments) if isinstance(arguments, dict) else {}
    sent = payload.get("tool_input")
    try:
        payload["tool_input"] = decode(sent) if isinstance(sent, str) else sent
    except (ValueError, RecursionError):
        payload["tool_input"] = None
    return payload


def _end(number: int, frame: object) -> None:
    raise _Ended


def _is_too_large(arguments: object) -> bool:
    sent = arguments.get("tool_input") if isinstance(arguments, dict) else None
    return isinstance(sent, str) and len(sent) > LARGEST_PAYLOAD


def _lines() -> "Iterator[tuple[bytes, bool]]":
    """Yields each line; for one that is too long only its two ends, and False."""
    pieces: list[bytes] = []
    size = 0
    while data := system.read(0, 1 << 16):
        *ends, rest = data.split(b"\n")
        for end in ends:
            yield b"".join((*pieces, end)), size + len(end) <= _LARGEST_LINE
            pieces, size = [], 0
        size += len(rest)
        if rest:
            pieces.append(rest)
        if size > _LARGEST_LINE:
            pieces = [pieces[0][:_EDGE], b"".join(pieces[-2:])[-_EDGE:]]


def _identifier_in(edges: bytes) -> int | str | None:
    """Returns the id of a request whose middle is missing."""
    text = edges.strip()
    if text.startswith(_FIRST):
        written = text[len(_FIRST) :].partition(b",")[0]
    else:
        written = text[-_EDGE:].rpartition(_LAST)[2].removesuffix(b"}") if _LAST in text[-_EDGE:] else b""
    try:
        value = decode(written.decode("ascii"))
    except ValueError:
        return None
    return value if isinstance(value, int | str) else None


def _content(text: str) -> dict[str, object]:
    return {"content": [{"type": "text", "text": text}]}


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
