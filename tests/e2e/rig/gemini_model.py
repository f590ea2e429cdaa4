"""The scripted model behind the Gemini API."""

import json
import time
from typing import Any
from urllib.parse import urlsplit

from tests.e2e.rig.model import MessagesHandler, Model
from tests.e2e.rig.request import Request, Result
from tests.e2e.rig.script import Turn

# What the client asks beside the conversation (who speaks next, which model to use) is to be answered in JSON.
_ASIDE = {"reasoning": "x", "next_speaker": "user", "model_choice": "flash", "complexity_score": 10}


class GeminiRequest(Request):
    """A request whose messages are `contents` of `parts`."""

    @property
    def text(self) -> str:
        return "\n".join([_told(self.body.get("systemInstruction")), *map(_told, self._said())])

    @property
    def new(self) -> str:
        messages = self.body.get("contents") or []
        spoken = [place for place, message in enumerate(messages) if message.get("role") == "model"]
        return "\n".join(map(_told, messages[spoken[-1] + 1 if spoken else 0 :]))

    @property
    def first(self) -> str:
        return _told(next(iter(self._said()), None))

    @property
    def last(self) -> str:
        return _told(next(reversed(self._said()), None))

    def results(self) -> dict[str, Result]:
        found = {}
        for message in self._said():
            for part in message.get("parts") or ():
                answer = part.get("functionResponse")
                if answer:
                    name = str(answer.get("id")).rpartition("__")[2]
                    response = answer.get("response") or {}
                    found[name] = Result(_texts(response), "error" in response)
        return found

    def _said(self) -> list[dict[str, Any]]:
        return [message for message in self.body.get("contents") or () if message.get("role") != "model"]


def _told(message: Any) -> str:
    parts = message.get("parts") if isinstance(message, dict) else None
    return "\n".join(part.get("text") or _texts(part.get("functionResponse")) for part in parts or ())


def _texts(value: Any) -> str:
    """All strings in it."""
    if isinstance(value, str):
        return value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return "\n".join(text for each in inner if (text := _texts(each)))


class GeminiHandler(MessagesHandler):
    def do_POST(self) -> None:  # noqa: N802
        arrived = time.time()
        sent = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = urlsplit(self.path).path
        if path.endswith(":countTokens"):
            self.send_content({"totalTokens": len(sent) // 4 + 1})
            return
        request = GeminiRequest(path, json.loads(sent), "", arrived)
        if not request.body.get("tools"):
            self.send_content(_answer([{"text": json.dumps(_ASIDE)}], 10))
            return
        turn = self.script.asked(request)
        request.answered = time.time()
        answer = _answer(_parts(turn), turn.usage.get("input_tokens", 1000))
        if path.endswith(":streamGenerateContent"):
            self.send_content(f"data: {json.dumps(answer)}\n\n".encode(), "text/event-stream")
        else:
            self.send_content(answer)


class GeminiModel(Model):
    protocol = GeminiHandler


def _parts(turn: Turn) -> list[dict[str, Any]]:
    return [
        {"text": block["text"]}
        if block["type"] == "text"
        else {"functionCall": {"id": block["id"], "name": block["name"], "args": block["input"]}}
        for block in turn.blocks
    ]


def _answer(parts: list[dict[str, Any]], tokens: int) -> dict[str, Any]:
    usage = {"promptTokenCount": tokens, "candidatesTokenCount": 10, "totalTokenCount": tokens + 10}
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted", "responseId": "scripted"}
