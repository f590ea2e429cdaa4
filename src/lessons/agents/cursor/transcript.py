"""Cursor's transcripts have neither results nor times: they are not read."""

from lessons.agents.base import RESULT_FOLDERS
from lessons.agents.cursor import places
from lessons.agents.whole import NoLines


class Transcripts(NoLines):
    """Recognises no file."""

    agent = "cursor"
    suffix = ".jsonl"
    skipped_folders = RESULT_FOLDERS


READER = FULL_READER = Transcripts(places)
