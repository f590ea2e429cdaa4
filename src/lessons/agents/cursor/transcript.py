"""Cursor's transcripts have neither results nor times: nothing is read of them."""

from collections.abc import Iterable

from lessons.agents.actions import Action
from lessons.agents.base import RESULT_FOLDERS, Line, Record
from lessons.agents.cursor import places
from lessons.agents.events import Called
from lessons.agents.object_lines import Fields, ObjectLines


class Transcripts(ObjectLines):
    """Recognises no file."""

    agent = "cursor"
    suffix = ".jsonl"
    skipped_folders = RESULT_FOLDERS

    def roots(self) -> list[str]:
        return places.roots()

    def stem(self, path: str) -> str:
        return path

    def action_of(self, called: Called) -> Action | None:
        return None

    def made_task(self, printed: str) -> str:
        return ""

    def recognises(self, blocks: Iterable[bytes]) -> bool:
        return False

    def is_record(self, fields: Fields) -> bool:
        return False

    def record(self, fields: Fields, position: int) -> Record:
        return Record(Line(position), "", False, 0, [])


READER = FULL_READER = Transcripts()
