"""The resident server of `install --warm`: answers hook calls from memory, until the client ends. (hot)

The client uses JSON-RPC as with any tool server. This one lists no tool, so that the model never sees it, and answers
the calls that the client itself makes before a tool runs. The command beside it exits at once while the server's file
in `warm/` names a living process.
"""

from lessons import __version__, paths
from lessons.agents.claude_code import wire
from lessons.agents.hook_event import LARGEST_PAYLOAD, NOT_EXAMINED, Answer
from lessons.store import fired, logs
from lessons.store.claims import claim_notice, read, remove
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
SERVER_GONE = "--server-gone"
SERVER_GONE_MESSAGE = (
    "The lessons server of this session has stopped. Lessons still fire: the hook's command answers instead. "
    "Run `lessons doctor` for details."
)
# An empty answer: the client would record an empty text as output.
NOTHING = "{}"
# The arguments of a call are a text in its line, so every quote and newline in them takes more space.
_LARGEST_LINE = 3 * LARGEST_PAYLOAD
_NOT_JSON, _NO_REQUEST, _NO_METHOD, _NO_TOOL, _FAULT = -32700, -32600, -32601, -32602, -32603
_UNFINISHED = ".new"


class Unanswerable(Exception):
    """A rejected request: an error code of JSON-RPC and a short message."""


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
            logs.record_fault(self._home, EVENT, f"server: {logs.describe_fault(fault)}")
            return _refusal(identifier if isinstance(identifier, str | int) else None, _FAULT, "internal error")

    def _result(self, message: dict[str, object]) -> dict[str, object]:
        method, given = message.get("method"), message.get("params")
        parameters = given if isinstance(given, dict) else {}
        if method == "tools/call":
            if parameters.get("name") != TOOL:
                raise Unanswerable(_NO_TOOL, "no such tool")
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
        if method == "ping":
            return {}
        raise Unanswerable(_NO_METHOD, "no such method")

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


def answer_of_command(event: "HookEvent", home: str, options: list[str], handler: "CallHandler") -> Answer | None:
    """Tells the user once per session that the server is gone, in addition to any answer."""
    reply = handler(event, home)
    if SERVER_GONE in options and claim_notice(home, event.session_key, "server-gone"):
        return (reply or Answer()).with_message(SERVER_GONE_MESSAGE)
    return reply


def announce(home: str) -> None:
    """Records in `warm/` that this process answers for the client that started it, for the hook; never raises."""
    folder = paths.warm_folder(home)
    try:
        try:
            make_private(folder)
        except FileExistsError:
            pass
        for name in system.listdir(folder):
            path = f"{folder}/{name}"
            process = _process_in(path)
            if name.endswith(_UNFINISHED):  # named after the process that is writing it
                process = int(name.removesuffix(_UNFINISHED)) if name[:-4].isdecimal() else None
            if process is None or not is_alive(process):
                remove(path)
        own = system.getpid()
        unfinished = f"{folder}/{own}{_UNFINISHED}"
        file = system.open(unfinished, system.O_WRONLY | system.O_CREAT | system.O_TRUNC, 0o600)
        try:
            system.write(file, f"{own}\n".encode())
        finally:
            system.close(file)
        system.replace(unfinished, paths.warm_file(home, system.getppid()))
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
