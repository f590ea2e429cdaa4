"""The toy agent's transcripts as records; every line is a JSON list."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from zlib import crc32

from lessons.agents.base import Line, Record
from lessons.agents.events import Called, Event, Returned, Verdict
from lessons.agents.object_lines import Reader


class _Chats(Reader):
    suffix = ".chat"

    def stem(self, path: str) -> str:
        return os.path.basename(path).removesuffix(".chat")

    def conversations(self, project_root: str) -> Iterator[str]:
        for root in filter(os.path.isdir, self.roots()):
            yield from (entry.path for entry in os.scandir(root) if entry.name.endswith(".chat"))

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        for block in blocks:
            return block.startswith(b'["toy"')
        return None

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        try:
            return [_record(json.loads(data), position, crc32(data))]
        except (ValueError, TypeError):
            return [None]


def _record(fields: list[Any], position: int, key: int) -> Record:
    match fields:
        case ["toy", chat, folder]:
            return Record(Line(position, session_id=chat, cwd=folder), "toy", True, 0, [])
        case ["exec", name, time, command]:
            event: Event = Called(name, name, "", "Bash", {"command": command})
            return Record(Line(position, name, time=time), "exec", True, key, [event], True)
        case ["ended", name, time, code, printed]:
            event = Returned(name, Verdict("failed" if code else "ok", code), printed)
            return Record(Line(position, name, time=time), "ended", True, key, [event], True)
    return Record(Line(position), str(fields[0]), False, 0, [])


READER = FULL_READER = _Chats("toy")
