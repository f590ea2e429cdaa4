"""A script in, a substitute for the Responses API on loopback out that follows it and records every request."""

import json
import time
from typing import Any
from urllib.parse import urlsplit

from tests.e2e.rig import model
from tests.e2e.rig.model import COMPACTION, MAIN
from tests.e2e.rig.request import Request, Result
from tests.e2e.rig.script import Turn

_SUMMARY_WANTED = "CONTEXT CHECKPOINT COMPACTION"


class ResponsesRequest(Request):
    """One request to the Responses API; a tool's result is an item of its own here."""

    @property
    def text(self) -> str:
        return "\n".join(filter(None, map(_told, self._items())))

    @property
    def new(self) -> str:
        items = self._items()
        spoken = [place for place, item in enumerate(items) if _is_of_model(item)]
        return "\n".join(filter(None, map(_told, items[spoken[-1] + 1 if spoken else 0 :])))

    def results(self) -> dict[str, Result]:
        """Call id -> what the model was told; the client never says whether that is an error."""
        ends = [item for item in self._items() if str(item.get("type")).endswith("_call_output")]
        return {item["call_id"]: Result(_text(item.get("output")), False) for item in ends}

    def _items(self) -> list[dict[str, Any]]:
        return [item for item in self.body.get("input") or () if isinstance(item, dict)]

    def _user_text(self, place: int) -> str:
        told = [_text(item.get("content")) for item in self._items() if item.get("role") == "user"]
        return "\n".join(told) if place == 0 else told[place] if told else ""


def developer_words(request: Request) -> list[str]:
    """The messages in the client's own voice, hooks among them, in order."""
    return [_text(item.get("content")) for item in request.body["input"] if item.get("role") == "developer"]


def _is_of_model(item: dict[str, Any]) -> bool:
    return item.get("role") == "assistant" or str(item.get("type")) in (
        "function_call",
        "custom_tool_call",
        "reasoning",
    )


def _told(item: dict[str, Any]) -> str:
    if _is_of_model(item):
        return ""
    return _text(item.get("output")) if str(item.get("type")).endswith("_output") else _text(item.get("content"))


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(block.get("text", "")) for block in content or () if isinstance(block, dict))


class ResponsesModel(model.Model):
    """Answers the client's requests while the `with` block lasts."""

    def _route(self, request: Request) -> str:
        if _SUMMARY_WANTED in request.last:
            return COMPACTION
        return next((part for part in self._left if part != MAIN and part in request.first), MAIN)


class _Handler(model.MessagesHandler):
    def do_GET(self) -> None:  # noqa: N802
        self.send_content({"object": "list", "data": [], "models": []})

    def do_POST(self) -> None:  # noqa: N802
        arrived = time.time()
        sent = self._body()
        path = urlsplit(self.path).path
        if not path.endswith("/responses"):
            self.send_content({})
            return
        request = ResponsesRequest(path, json.loads(sent), "", arrived)
        turn = self.script.asked(request)
        request.answered = time.time()
        self.send_content(_events(turn, f"resp_{id(request):x}"), "text/event-stream")

    def _body(self) -> bytes:
        if not self.headers.get("transfer-encoding"):
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        pieces = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            pieces.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(pieces)


ResponsesModel.protocol = _Handler


def _events(turn: Turn, name: str) -> bytes:
    items = [_item(block, f"{name}_{number}") for number, block in enumerate(turn.blocks)]
    tokens = turn.usage.get("input_tokens", 1000)
    usage = {"input_tokens": tokens, "output_tokens": 10, "total_tokens": tokens + 10}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {"id": name}}]
    for number, item in enumerate(items):
        for kind in ("added", "done"):
            events.append({"type": f"response.output_item.{kind}", "output_index": number, "item": item})
    ended = {"id": name, "output": items, "usage": {**usage, **details}}
    events.append({"type": "response.completed", "response": ended})
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


def _item(block: dict[str, Any], name: str) -> dict[str, Any]:
    if block["type"] == "text":
        content = [{"type": "output_text", "text": block["text"]}]
        return {"type": "message", "role": "assistant", "id": f"msg_{name}", "content": content}
    call = {"id": f"fc_{name}", "call_id": block["id"], "name": block["name"]}
    if block["type"] == "custom_tool_use":
        return {"type": "custom_tool_call", **call, "input": block["input"]}
    namespace = {"namespace": block["namespace"]} if "namespace" in block else {}
    return {"type": "function_call", **call, **namespace, "arguments": json.dumps(block["input"])}
