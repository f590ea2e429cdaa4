"""Removes what belongs to a scope to forget from lessons.json, decisions.jsonl and their copies.

Lessons lose examples and sessions, their texts stay; decisions stay, texts in them go."""

import copy
import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Literal

import msgspec

from lessons import json_document, paths
from lessons.errors import LessonsError
from lessons.store import files, lesson_file
from lessons.store.decisions import Decision
from lessons.store.files import locked
from lessons.store.forget_scope import Traces, existing
from lessons.store.history import backups
from lessons.store.history.forget import QuotedTexts
from lessons.store.lesson_file import LessonFile
from lessons.store.logs import event_bytes, event_in

Record = dict[str, object]
_REMEDY = "choose another copy"
_LONGEST_PART = 60


class CleanedLessons(msgspec.Struct):
    slugs: list[str] = []  # lessons that were made from forgotten data
    changed: set[str] = set()  # ids of those that lost examples or sessions
    examples: int = 0
    unreadable: list[str] = []  # copies


def quoted_in(home: str, decided: Iterable[Decision]) -> QuotedTexts:
    """Returns all examples of all lessons, as they are and as they were before candidates were merged into them."""
    lessons = [lesson_file.read(home)]
    for path in _copies(home, "lessons"):
        with suppress(LessonsError):
            lessons.append(_read(path))
    evidence = [record for file in lessons for record in file.records if isinstance(record, dict)]
    commands: set[str] = set()
    parts: set[str] = set()
    for record in (*evidence, *(decision.before for decision in decided)):
        examples = record.get("examples")
        sides = [examples.get(side) for side in ("fires", "quiet")] if isinstance(examples, dict) else []
        for example in (each for side in sides if isinstance(side, list) for each in side):
            (commands if _command_of(example) else parts).add(_text_of(example))
    return QuotedTexts(frozenset(commands - {""}), frozenset(parts - {""}))


def clean_lessons(home: str, traces: Traces, decided: Sequence[Decision], act: bool) -> CleanedLessons:
    """Cleans lessons.json and its copies; changes nothing unless `act`. The caller holds the lock of the backups."""
    with lesson_file.change(home) as own:
        cleaned = _clean_records(own.records, traces, decided)
        own.changed = act and bool(cleaned.changed)
    for path in _copies(home, "lessons"):
        try:
            file = _read(path)
        except LessonsError:
            cleaned.unreadable.append(path)
            continue
        copied = _clean_records(file.records, traces, decided)
        cleaned.changed |= copied.changed
        if copied.changed and act:
            _write_copy(home, path, file.rendered())
    return cleaned


def _clean_records(records: list[object], traces: Traces, decided: Sequence[Decision]) -> CleanedLessons:
    """Cleans lessons that were made from candidates of the scope, or merged with them."""
    made = {each.lesson or each.part_of or each.id for each in decided if each.fingerprint in traces.deleted.candidates}
    cleaned = CleanedLessons()
    for record in records:
        if not isinstance(record, dict):
            continue
        sessions = record.get("sourceSessionIds")
        seen_there = isinstance(sessions, list) and any(each in traces.touched for each in sessions)
        if not seen_there and record.get("id") not in made:
            continue
        before = copy.deepcopy(record)
        cleaned.slugs.append(str(record.get("slug", "")))
        cleaned.examples += _clean_evidence(record, traces)
        if "examples" in record and record["examples"] is None:
            del record["examples"]
        if record != before:
            cleaned.changed.add(str(record.get("id")))
    return cleaned


def _clean_evidence(evidence: Record, traces: Traces) -> int:
    """Removes examples and sessions from the evidence of a lesson, in place; returns the number of removed examples."""
    sessions = evidence.get("sourceSessionIds")
    if isinstance(sessions, list):
        evidence["sourceSessionIds"] = [each for each in sessions if each not in traces.sessions]
    examples, gone = evidence.get("examples"), 0
    if not isinstance(examples, dict):
        return 0
    for side in ("fires", "quiet"):
        if isinstance(before := examples.get(side), list):
            examples[side] = [each for each in before if _text_of(each) not in traces.texts]
            gone += len(before) - len(examples[side])
    if gone and not any(examples.values()):
        evidence["examples"] = None
    return gone


def _read(path: str) -> LessonFile:
    return LessonFile(path, json_document.read_content(path, _REMEDY), _REMEDY)


def _command_of(example: object) -> str:
    command = example.get("command") if isinstance(example, dict) else example
    return command if isinstance(command, str) else ""


def _text_of(example: object) -> str:
    """Returns the text by which it is found among the calls: the command, else the beginning of the path or error."""
    if command := _command_of(example):
        return command
    values = [example.get(key) for key in ("path", "content", "error")] if isinstance(example, dict) else []
    texts = [value.strip() for value in values if isinstance(value, str) and value.strip()]
    return texts[0].splitlines()[0][:_LONGEST_PART] if texts else ""


def clean_decisions(home: str, traces: Traces, changed_lessons: set[str], act: bool) -> int:
    """Cleans decisions.jsonl and its copies; returns how many lines of it changed.

    Changes nothing unless `act`. The caller holds the lock of the backups.
    """
    slugs, path = lesson_file.read(home).names(), paths.decisions_file(home)
    with locked(path):
        before, after = _cleaned_lines(path, traces, changed_lessons, slugs)
        if act and before != after:
            files.write_bytes(path, b"".join(line + b"\n" for line in after if line is not None))
    for copied in _copies(home, "decisions") if act else ():
        old, new = _cleaned_lines(copied, traces, changed_lessons, slugs)
        if old != new:
            _write_copy(home, copied, b"".join(line + b"\n" for line in new if line is not None))
    return sum(event_in(one) != (event_in(other) if other else None) for one, other in zip(before, after, strict=True))


def _cleaned_lines(
    path: str, traces: Traces, changed_lessons: set[str], slugs: set[str]
) -> tuple[list[bytes], list[bytes | None]]:
    before = files.lines(path)
    # A slug is made of the words of its lesson: those of lessons without evidence left go.
    unsupported = traces.deleted.candidates - traces.deleted.supported
    decided = filter(None, map(event_in, before))
    gone = {str(each["slug"]) for each in decided if each.get("slug") and each.get("fingerprint") in unsupported}
    return before, [_cleaned(line, traces, changed_lessons, gone - slugs) for line in before]


def _cleaned(line: bytes, traces: Traces, changed_lessons: set[str], gone: set[str]) -> bytes | None:
    """Returns the cleaned line; None if nothing of it stays. Drops damaged lines, which may contain anything."""
    decision = event_in(line)
    if decision is None:
        return None
    cleaned = copy.deepcopy(decision)
    if isinstance(evidence := cleaned.get("before"), dict):
        _clean_evidence(evidence, traces)
    if cleaned.get("lesson") in changed_lessons or cleaned.get("id") in changed_lessons:
        cleaned.pop("digest", None)  # without it, `undo` does not ask whether the lesson is as it was
    name = str(cleaned.get("fingerprint", ""))
    # A reason may be about any occurrence of the candidate; one about a lesson is about the time of the line.
    if name in traces.deleted.candidates or (not name and str(cleaned.get("time", "")) < traces.scope.before):
        cleaned.pop("reason", None)
    if cleaned.get("slug") in gone:
        if not name:
            return None
        del cleaned["slug"]
    if cleaned == decision:
        return event_bytes(line)
    return json.dumps(cleaned, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _copies(home: str, holding: Literal["lessons", "decisions"]) -> list[str]:
    return [path for path in existing(home, holding) if os.path.dirname(path) != home.rstrip("/")]


def _write_copy(home: str, path: str, content: bytes) -> None:
    """Replaces a file of a backup, and its digest there unless the file was damaged before."""
    with open(path, "rb") as file:
        before = sha256(file.read()).hexdigest()
    files.write_bytes(path, content)
    folder, name = os.path.split(path)
    for backup in backups.listing(home):
        if backups.folder_of(home, backup.name) == folder and backup.digests.get(name) == before:
            backup.digests[name] = sha256(content).hexdigest()
            backups.describe(folder, backup)
