"""Selects the few lessons that may nearly fire on a call: the others are not even read."""

import re

import msgspec

from lessons import paths
from lessons.errors import LessonsError, Refused
from lessons.match.call import ToolCall
from lessons.model import Lesson
from lessons.promote.near_miss import words_of
from lessons.store import lesson_file, manifest
from lessons.store.lesson_record import lesson_of

Entry = dict[str, object]


class _Commands(msgspec.Struct, gc=False):
    sources: msgspec.Raw = msgspec.field(default=msgspec.Raw(b"[]"), name="commandRegexSources")


class _Manifest(msgspec.Struct):
    lessons: dict[str, msgspec.Raw]


def awake(home: str, call: ToolCall) -> list[Entry]:
    """Returns entries of the manifest; for a shell only those with a word of the call in their patterns."""
    words = words_of(call)
    if not call.is_shell or not all(word.isascii() for word in words):
        return _everything(home)
    # A character outside ASCII is escaped there, and may match one that is not.
    some = re.compile("|".join([r"\\u", *map(re.escape, sorted(words))]).encode(), re.IGNORECASE)
    try:
        with open(paths.manifest_file(home), "rb") as file:
            pieces = msgspec.json.decode(file.read(), type=_Manifest).lessons.values()
        commands = ((piece, msgspec.json.decode(piece, type=_Commands).sources) for piece in pieces)
        return [msgspec.json.decode(piece, type=Entry) for piece, sources in commands if some.search(sources)]
    except (OSError, msgspec.MsgspecError):  # a foreign manifest may contain anything
        return _everything(home)


def _everything(home: str) -> list[Entry]:
    try:
        return list(manifest.read(home)[1].values())
    except manifest.UnusableManifest:
        return []


def asleep(home: str) -> list[Lesson]:
    """Returns lessons that are not in the manifest for any reason."""
    try:
        published = _published(home)
        file = lesson_file.read(home)
        return [lesson for number in file.without(published) if (lesson := _lesson(file.record(number)))]
    except LessonsError:  # already reported by the warning about the build
        return []


def _published(home: str) -> frozenset[str]:
    try:
        with open(paths.manifest_file(home), "rb") as file:
            return frozenset(msgspec.json.decode(file.read(), type=_Manifest).lessons)
    except (OSError, msgspec.MsgspecError):
        return frozenset()


def _lesson(record: object) -> Lesson | None:
    try:
        return lesson_of(record)
    except Refused:
        return None
