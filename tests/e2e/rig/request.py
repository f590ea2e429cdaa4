"""The body of a request to the Messages API in, what the model can read in it out."""

import json
from dataclasses import dataclass
from typing import Any, NamedTuple


class Result(NamedTuple):
    """What a tool call came to, as the model was told."""

    text: str
    is_error: bool


@dataclass
class Request:
    """One request: which part of the script answered it, and when (`time.time`)."""

    path: str
    body: dict[str, Any]
    route: str
    arrived: float
    answered: float = 0.0

    @property
    def text(self) -> str:
        """All that the model was told so far: prompts, tool results, what hooks added; not its own words."""
        return "\n".join([flat(self.body.get("system")), *map(_told, self._messages())])

    @property
    def new(self) -> str:
        """What it was told since its last answer."""
        messages = self._messages()
        spoken = [place for place, message in enumerate(messages) if message["role"] == "assistant"]
        return "\n".join(map(_told, messages[spoken[-1] + 1 if spoken else 0 :]))

    @property
    def raw(self) -> str:
        """The whole body, for what must not be in it anywhere."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def first(self) -> str:
        return self._user_text(0)

    @property
    def last(self) -> str:
        return self._user_text(-1)

    def results(self) -> dict[str, Result]:
        """Tool use id -> what the model was told about that call."""
        blocks = [block for message in self._messages() for block in _blocks(message["content"])]
        return {
            block["tool_use_id"]: Result(flat(block.get("content")), bool(block.get("is_error")))
            for block in blocks
            if block.get("type") == "tool_result"
        }

    def _messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages") or ())

    def _user_text(self, place: int) -> str:
        told = [flat(message["content"]) for message in self._messages() if message["role"] == "user"]
        return told[place] if told else ""


def flat(content: Any) -> str:
    """The texts of a content, those inside tool results too."""
    texts = []
    for block in _blocks(content):
        texts.append(str(block.get("text", "")))
        if block.get("type") == "tool_result":
            texts.append(flat(block.get("content")))
    return "\n".join(text for text in texts if text)


def _blocks(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content or () if isinstance(block, dict)]


def _told(message: dict[str, Any]) -> str:
    return "" if message["role"] == "assistant" else flat(message["content"])
