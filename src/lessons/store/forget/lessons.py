"""Removes examples and sessions of a scope to forget from lessons; their texts stay."""

import copy
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec

from lessons import json_document
from lessons.errors import LessonsError
from lessons.store import atomic, lesson_file
from lessons.store.decisions import Decision
from lessons.store.forget.traces import Traces
from lessons.store.history.forget_rows import Quoted
from lessons.store.home_files import existing
from lessons.store.lesson_file import LessonFile
from lessons.store.unfinished import evidence_digest, record_digest

Record = dict[str, object]
_REMEDY = "choose another copy"
_LONGEST_PART = 60


class Cleaned(msgspec.Struct):
    """What was removed from lessons, or would be."""

    slugs: list[str] = []  # lessons that were made from forgotten data
    examples: int = 0
    digests: dict[str, str] = {}  # of a lesson and of its evidence: before -> after
    unreadable: list[str] = []  # copies


def copies(home: str) -> list[str]:
    """Returns every file with lessons except lessons.json itself."""
    own = os.path.join(home, "lessons.json")
    return [path for path in existing(home, "lessons") if path != own]


def quoted_in(home: str, decided: Iterable[Decision]) -> Quoted:
    """Returns all examples of all lessons, as they are and as they were before candidates were merged into them."""
    commands: set[str] = set()
    parts: set[str] = set()
    evidence = [record for file in _files(home) for record in file.records if isinstance(record, dict)]
    for record in (*evidence, *(decision.before for decision in decided)):
        for example in _examples(record):
            (commands if _command_of(example) else parts).add(_text_of(example))
    return Quoted(frozenset(commands - {""}), frozenset(parts - {""}))


def clean(home: str, traces: Traces, decided: Sequence[Decision], act: bool) -> Cleaned:
    """Cleans lessons.json; changes nothing unless `act`."""
    cleaned = Cleaned()
    if not act:
        _clean_records(lesson_file.read(home).records, traces, decided, cleaned)
        return cleaned
    with lesson_file.change(home) as file:
        file.changed = _clean_records(file.records, traces, decided, cleaned)
    return cleaned


def clean_copies(home: str, traces: Traces, decided: Sequence[Decision], act: bool) -> Cleaned:
    """Cleans the copies in the backups; the caller holds their lock."""
    cleaned = Cleaned()
    for path in copies(home):
        try:
            file = _read(path)
        except LessonsError:
            cleaned.unreadable.append(path)
            continue
        if _clean_records(file.records, traces, decided, cleaned) and act:
            atomic.write_bytes(path, file.rendered())
    return cleaned


def clean_evidence(evidence: Record, traces: Traces) -> int:
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


def _clean_records(records: list[object], traces: Traces, decided: Sequence[Decision], cleaned: Cleaned) -> bool:
    """Returns whether any record was changed."""
    made = _made_from(traces, decided)
    changed = False
    for record in records:
        if not isinstance(record, dict) or not _is_linked(record, traces, made):
            continue
        before = copy.deepcopy(record)
        cleaned.slugs.append(str(record.get("slug", "")))
        cleaned.examples += clean_evidence(record, traces)
        if "examples" in record and record["examples"] is None:
            del record["examples"]
        cleaned.digests |= _digests(before, record, traces, decided)
        changed |= record != before
    return changed


def _made_from(traces: Traces, decided: Sequence[Decision]) -> set[str]:
    """Returns the ids of lessons made from, or merged with, candidates that have evidence in the scope."""
    names = traces.deleted.candidates
    return {each.lesson or each.part_of or each.id for each in decided if each.fingerprint in names}


def _is_linked(record: Record, traces: Traces, made: set[str]) -> bool:
    """Whether it was made from such a candidate; what a person wrote is kept, whoever ran the same command."""
    sessions = record.get("sourceSessionIds")
    seen_there = isinstance(sessions, list) and any(each in traces.touched for each in sessions)
    return record.get("id") in made or seen_there


def _digests(before: Record, after: Record, traces: Traces, decided: Sequence[Decision]) -> dict[str, str]:
    """Maps old digests to new ones: decisions identify a lesson by its digest after the decision."""
    found = {record_digest(before): record_digest(after), evidence_digest(before): evidence_digest(after)}
    for decision in decided:
        if decision.before and decision.lesson == before.get("id"):
            earlier = copy.deepcopy(decision.before)
            clean_evidence(earlier, traces)
            old, new = _with_evidence(before, decision.before), _with_evidence(after, earlier)
            found |= {record_digest(old): record_digest(new), evidence_digest(old): evidence_digest(new)}
    return found


def _with_evidence(record: Record, evidence: Record) -> Record:
    return {key: value for key, value in {**record, **evidence}.items() if value is not None}


def _files(home: str) -> Iterator[LessonFile]:
    yield lesson_file.read(home)
    for path in copies(home):
        with suppress(LessonsError):
            yield _read(path)


def _read(path: str) -> LessonFile:
    return LessonFile(path, json_document.read_content(path, _REMEDY), _REMEDY)


def _examples(record: Record) -> list[object]:
    examples = record.get("examples")
    sides = [examples.get(side) for side in ("fires", "quiet")] if isinstance(examples, dict) else []
    return [example for side in sides if isinstance(side, list) for example in side]


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
