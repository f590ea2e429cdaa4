"""A session file of Gemini CLI: one document that is rewritten, or lines of which the last one counts."""

import msgspec

from lessons.agents.follow import Damaged
from lessons.agents.jsonl import storable
from lessons.agents.object_lines import Fields, inner, objects, text
from lessons.agents.whole import NotOurs

_MOST_BYTES = 256 << 20
_ENVELOPE = ("sessionId", "projectHash")


class Content:
    """The content of a file: the last form of each message, in the order of their first occurrence.

    Going back in a conversation, or replacing all messages, does not undo what was done: the removed messages stay
    here.
    """

    def __init__(self) -> None:
        self.metadata: Fields = {}
        self.messages: dict[str, Fields] = {}
        self._calls: dict[str, dict[str, Fields]] = {}  # of each message, by their ids
        self.damaged: list[Damaged] = []

    def take(self, record: Fields) -> None:
        changes = inner(record, "$set")
        if changes or all(name in record for name in _ENVELOPE):
            fields = changes or record
            self.metadata.update({name: value for name, value in fields.items() if name != "messages"})
            for message in objects(fields, "messages"):
                self._put(message)
        elif text(record, "id"):
            self._put(record)

    def _put(self, message: Fields) -> None:
        name = text(message, "id")
        self.messages[name] = message
        calls = objects(message, "toolCalls")
        if calls:
            self._calls.setdefault(name, {}).update({text(call, "id"): call for call in calls})

    def complete(self) -> None:
        """Gives each message all calls of all its forms."""
        for name, calls in self._calls.items():
            self.messages[name] = {**self.messages[name], "toolCalls": list(calls.values())}


def read(path: str) -> Content:
    """Raises NotOurs if it is not a session of this client."""
    content = Content()
    with open(path, "rb") as file:
        data = file.read(_MOST_BYTES)
    if path.endswith(".json"):
        document = _object(data)
        if document is None:
            content.damaged.append(Damaged(0, len(data)))  # for example while it is written: then it is read again
        else:
            content.take(document)
    else:
        _take_lines(content, data)
    content.complete()
    if not content.metadata and not content.damaged:
        raise NotOurs(path)
    if content.metadata and not text(content.metadata, "sessionId"):
        raise NotOurs(path)
    return content


def _take_lines(content: Content, data: bytes) -> None:
    position = 0
    for line in data.split(b"\n"):
        record = _object(line) if line.strip() else {}
        if record:
            content.take(record)
        elif record is None and position + len(line) < len(data):  # the last line may be unfinished
            content.damaged.append(Damaged(position, len(line)))
        position += len(line) + 1


def _object(data: bytes) -> Fields | None:
    try:
        found = storable(msgspec.json.decode(data))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
