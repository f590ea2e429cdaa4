"""A script in, a substitute for the Messages API on loopback out that follows it and records every request."""

import json
import threading
import time
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from tests.e2e.rig.request import Request
from tests.e2e.rig.script import Turn, say
from tests.e2e.rig.stream import as_events

EXHAUSTED = "THE SCRIPT HAS NO TURN LEFT"
SUMMARY = "What the scripted model remembers after a compaction."
MAIN, COMPACTION, SIDE = "main", "compaction", "side"
_SUMMARY_WANTED = "summary of the conversation"


class Model:
    """Answers while the `with` block lasts; `routes` maps a part of a subagent's prompt to its turns."""

    protocol: "type[MessagesHandler]"  # in which it is asked and answers

    def __init__(self, turns: Sequence[Turn], routes: Mapping[str, Sequence[Turn]] | None = None) -> None:
        self.requests: list[Request] = []
        self.faults: list[BaseException] = []
        self.missed: list[str] = []
        self._left = {MAIN: list(turns), **{part: list(some) for part, some in (routes or {}).items()}}
        self._lock = threading.Lock()
        model = self

        class Handler(self.protocol):  # type: ignore[name-defined,misc]
            script = model

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def left(self) -> dict[str, int]:
        """How many turns of each route nobody has asked for."""
        with self._lock:
            return {route: len(turns) for route, turns in self._left.items() if turns}

    def add(self, *turns: Turn) -> None:
        """More turns for the main conversation, of which a test learns the content only as it goes."""
        with self._lock:
            self._left[MAIN].extend(turns)

    def asked(self, request: Request) -> Turn:
        """The answer to a request for a message."""
        with self._lock:
            self.requests.append(request)
            request.route = self._route(request)
            if request.route == COMPACTION:
                return say(f"<analysis>All of it.</analysis><summary>{SUMMARY}</summary>")
            if request.route == SIDE:
                return say("fine")
            turn = self._next(request.route)
        try:
            if turn.before is not None:
                turn.before()
        except BaseException as fault:
            self.faults.append(fault)
        time.sleep(turn.thinks)
        return turn

    def _next(self, route: str) -> Turn:
        if self._left[route]:
            return self._left[route].pop(0)
        self.missed.append(route)
        return say(EXHAUSTED)

    def _route(self, request: Request) -> str:
        if _SUMMARY_WANTED in request.last:
            return COMPACTION
        for part in self._left:
            if part != MAIN and part in request.first:
                return part
        return MAIN if request.body.get("tools") else SIDE


class MessagesHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    script: Model

    def log_message(self, format: str, *arguments: Any) -> None:
        pass

    def do_HEAD(self) -> None:
        self.send_content({})

    def do_GET(self) -> None:
        self.send_content({"data": [], "has_more": False, "first_id": None, "last_id": None})

    def do_POST(self) -> None:
        arrived = time.time()
        sent = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = urlsplit(self.path).path
        if path == "/v1/messages/count_tokens":
            self.send_content({"input_tokens": len(sent) // 4 + 1})
        elif path == "/v1/messages":
            self._answer(Request(path, json.loads(sent), "", arrived), len(sent) // 4 + 1)
        else:
            self.send_content({})

    def _answer(self, request: Request, tokens: int) -> None:
        turn = self.script.asked(request)
        message = {
            "id": f"msg_scripted_{id(request):x}",
            "type": "message",
            "role": "assistant",
            "model": request.body.get("model"),
            "content": list(turn.blocks),
            "stop_reason": turn.stop_reason,
            "stop_sequence": None,
            "usage": {"input_tokens": tokens, "output_tokens": 20, **turn.usage},
        }
        request.answered = time.time()
        if request.body.get("stream"):
            self.send_content(as_events(message), "text/event-stream")
        else:
            self.send_content(message)

    def send_content(self, content: bytes | dict[str, Any], kind: str = "application/json") -> None:
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        try:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)
        except ConnectionError:
            self.close_connection = True  # a client that was stopped or has lost interest


Model.protocol = MessagesHandler
