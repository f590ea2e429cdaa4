"""The resident server of `install --warm`: answers hook calls from memory, until the client ends. (hot)

The client uses JSON-RPC as with any tool server. This one lists no tool, so that the model never sees it, and answers
the calls that the client itself makes before a tool runs. The command beside it exits at once while the server's file
in `warm/` names a living process.
"""

from lessons import __version__, paths
from lessons.agents.claude_code import wire
from lessons.agents.hook_event import LARGEST_PAYLOAD, NOT_EXAMINED, Answer
from lessons.store import fired, logs
from lessons.store.claims import read, remove
from lessons.store.json_text import decode, encode
from lessons.system import environment, is_alive, make_private, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable, Iterator

    from lessons.agents.hook_event import HookEvent

    CallHandler = Callable[[HookEvent, str], Answer | None]
else:
    try:
        import _signal
    except ImportError:  # another interpreter
        import signal as _signal

EVENT = "PreToolUse"
TOOL = "hook"
# An empty answer: the client would record an empty text as output.
NOTHING = "{}"
# The arguments of a call are a text in its line, so every quote and newline in them takes more space.
_LARGEST_LINE = 3 * LARGEST_PAYLOAD
_NO_METHOD, _FAULT = -32601, -32603


class _Ended(BaseException):
    """The client asked this process to end."""


def serve(home: str, handler: "CallHandler") -> None:
    """Answers every call as the command would, one after the other; ends only with the client."""

    def end(number: int, frame: object) -> None:
        raise _Ended

    client = system.getppid()
    server = Server(home, handler)
    try:
        _signal.signal(_signal.SIGTERM, end)
        _signal.signal(_signal.SIGHUP, end)
        for line in _lines(home):
            reply = server.reply(line)
            data = reply.encode("ascii") + b"\n" if reply else b""
            while data:
                data = data[system.write(1, data) :]
    except (OSError, _Ended, KeyboardInterrupt):
        pass  # nobody listens any more
    finally:
        withdraw(home, client)


class Server:
    """Answers the client's requests, one line each."""

    def __init__(self, home: str, handler: "CallHandler") -> None:
        self._home = home
        self._handler = handler

    def reply(self, line: bytes) -> str:
        """Returns the reply; empty if none is needed, and to a line that is no request."""
        try:
            message = decode(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return ""
        if not isinstance(message, dict) or not isinstance(message.get("id"), str | int):
            return ""
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            result = self._result(message)
            error = {} if result is not None else {"code": _NO_METHOD, "message": "no such method"}
        except Exception as fault:
            logs.record_fault(self._home, EVENT, f"server: {logs.describe_fault(fault)}")
            error = {"code": _FAULT, "message": "internal error"}
        return encode({**reply, "error": error} if error else {**reply, "result": result})

    def _result(self, message: dict[str, object]) -> dict[str, object] | None:
        """Returns None for an unknown method, and for another tool than ours."""
        method, given = message.get("method"), message.get("params")
        parameters = given if isinstance(given, dict) else {}
        if method == "tools/call" and parameters.get("name") == TOOL:
            return {"content": [{"type": "text", "text": self._answer(parameters.get("arguments")) or NOTHING}]}
        if method == "initialize":
            announce(self._home)
            return {
                "protocolVersion": parameters.get("protocolVersion"),
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "lessons", "version": __version__},
            }
        if method == "tools/list":
            return {"tools": []}
        return {} if method == "ping" else None

    def _answer(self, arguments: object) -> str:
        """Logs a fault, and lets the call run as if there were no lesson."""
        if environment("LESSONS_DISABLE") not in ("", "0"):
            return ""
        try:
            fired.touch(self._home, EVENT)
            sent = arguments.get("tool_input") if isinstance(arguments, dict) else None
            if isinstance(sent, str) and len(sent) > LARGEST_PAYLOAD:
                logs.record_fault(self._home, EVENT, NOT_EXAMINED)
                return ""
            event = wire.parse(EVENT, payload_of(arguments))
            answer = self._handler(event, self._home) if event else None
            return wire.render(event, answer) if event and answer else ""
        except Exception as fault:
            logs.record_fault(self._home, EVENT, f"server: {logs.describe_fault(fault)}")
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


def _lines(home: str) -> "Iterator[bytes]":
    """Skips a line that is too large to be examined: the client soon gives up waiting, and the call runs."""
    pieces: list[bytes] = []
    size = 0
    while data := system.read(0, 1 << 16):
        *ends, rest = data.split(b"\n")
        for end in ends:
            if size + len(end) <= _LARGEST_LINE:
                yield b"".join((*pieces, end))
            else:
                logs.record_fault(home, EVENT, NOT_EXAMINED)
            pieces, size = [], 0
        size += len(rest)
        pieces = [*pieces, rest] if size <= _LARGEST_LINE else []


def announce(home: str) -> None:
    """Records in `warm/` that this process answers for the client that started it, for the hook; never raises."""
    folder = paths.warm_folder(home)
    try:
        try:
            make_private(folder)
        except FileExistsError:
            pass
        for name in system.listdir(folder):
            process = _process_in(f"{folder}/{name}")
            if process is None or not is_alive(process):
                remove(f"{folder}/{name}")
        flags = system.O_WRONLY | system.O_CREAT | system.O_TRUNC
        file = system.open(paths.warm_file(home, system.getppid()), flags, 0o600)
        try:
            system.write(file, f"{system.getpid()}\n".encode())
        finally:
            system.close(file)
    except OSError:
        pass  # without the file the command answers too, and only one of both counts


def withdraw(home: str, client: int) -> None:
    """Records that this process no longer answers; keeps an entry that another one has written."""
    path = paths.warm_file(home, client)
    if _process_in(path) == system.getpid():
        remove(path)


def _process_in(path: str) -> int | None:
    try:
        return int(read(path, 32) or b"")
    except (OSError, ValueError):
        return None
