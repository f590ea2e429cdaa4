"""The scripted model behind the Chat Completions API, which most other clients use."""

import json
import time
from typing import Any
from urllib.parse import urlsplit

from tests.e2e.rig.model import MessagesHandler, Model
from tests.e2e.rig.request import Request, Result, flat
from tests.e2e.rig.script import Turn


class ChatRequest(Request):
    """A request in which each result of a tool is a message of its own."""

    def results(self) -> dict[str, Result]:
        messages = [each for each in self.body.get("messages") or () if each.get("role") == "tool"]
        return {str(each["tool_call_id"]): Result(flat(each.get("content")), False) for each in messages}


class ChatHandler(MessagesHandler):
    def do_GET(self) -> None:  # noqa: N802
        self.send_content({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    def do_POST(self) -> None:  # noqa: N802
        arrived = time.time()
        sent = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = urlsplit(self.path).path
        if not path.endswith("/chat/completions"):
            self.send_content({})
            return
        request = ChatRequest(path, json.loads(sent), "", arrived)
        turn = self.script.asked(request)
        request.answered = time.time()
        whole = {"id": f"chatcmpl-{id(request):x}", "created": int(arrived), "model": request.body.get("model")}
        if request.body.get("stream"):
            self.send_content(_as_events(whole, turn), "text/event-stream")
        else:
            self.send_content(_as_document(whole, turn))


class ChatModel(Model):
    protocol = ChatHandler


def _message(turn: Turn) -> dict[str, Any]:
    said = [block["text"] for block in turn.blocks if block["type"] == "text"]
    calls = [
        {
            "index": number,
            "id": block["id"],
            "type": "function",
            "function": {"name": block["name"], "arguments": json.dumps(block["input"])},
        }
        for number, block in enumerate(block for block in turn.blocks if block["type"] == "tool_use")
    ]
    return {"role": "assistant", "content": "\n".join(said), **({"tool_calls": calls} if calls else {})}


def _ending(turn: Turn) -> str:
    return "tool_calls" if turn.stop_reason == "tool_use" else "stop"


def _usage(turn: Turn) -> dict[str, int]:
    tokens = turn.usage.get("input_tokens", 1000)
    return {"prompt_tokens": tokens, "completion_tokens": 20, "total_tokens": tokens + 20}


def _as_document(whole: dict[str, Any], turn: Turn) -> dict[str, Any]:
    choice = {"index": 0, "message": _message(turn), "finish_reason": _ending(turn)}
    return {**whole, "object": "chat.completion", "choices": [choice], "usage": _usage(turn)}


def _as_events(whole: dict[str, Any], turn: Turn) -> bytes:
    chunk = {**whole, "object": "chat.completion.chunk"}
    pieces = [
        {**chunk, "choices": [{"index": 0, "delta": _message(turn), "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": _ending(turn)}]},
        {**chunk, "choices": [], "usage": _usage(turn)},
    ]
    return "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces).encode() + b"data: [DONE]\n\n"
