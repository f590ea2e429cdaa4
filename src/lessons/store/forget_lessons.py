"""Removes what belongs to a scope to forget from lessons.json, decisions.jsonl and their copies.

Lessons lose examples and sessions, their texts stay; decisions stay, texts in them go."""

import copy
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec

from lessons import json_document, paths
from lessons.errors import LessonsError
from lessons.store import files, lesson_file
from lessons.store.decisions import BEGINNING, Decision, evidence_digest, record_digest
from lessons.store.files import locked
from lessons.store.forget_scope import ForgetScope, existing
from lessons.store.history.forget import Gone, Quoted
from lessons.store.lesson_file import LessonFile


class Traces(msgspec.Struct, frozen=True):
    """What the user asked for, and what the history says about it."""

    scope: ForgetScope
    deleted: Gone

    @property
    def sessions(self) -> set[str]:
        """Sessions that are deleted completely."""
        return (self.deleted.sessions | {self.scope.session}) - {""}

    @property
    def touched(self) -> set[str]:
        """Sessions of which something is deleted."""
        return self.deleted.touched | self.sessions

    @property
    def texts(self) -> set[str]:
        """Texts that lessons quote and that occur nowhere else."""
        return self.deleted.quoted - self.deleted.still_said

    @property
    def unsupported(self) -> set[str]:
        """Candidates without any evidence left."""
        return self.deleted.candidates - self.deleted.supported

    def folders(self) -> set[str]:
        """Returns the folders of a project, all in which its calls were made, and those between."""
        found = set(self.scope.folders)
        for folder in self.deleted.folders if self.scope.folders else ():
            while folder and folder not in found and self.scope.covers_folder(folder):
                found.add(folder)
                folder = folder.replace("\\", "/").rstrip("/").rpartition("/")[0]
        # A work tree elsewhere is a separate project.
        return found | (self.deleted.folders if self.scope.folders else set())


Record = dict[str, object]
_REMEDY = "choose another copy"
_LONGEST_PART = 60


class CleanedLessons(msgspec.Struct):
    """What was removed from lessons, or would be."""

    slugs: list[str] = []  # lessons that were made from forgotten data
    examples: int = 0
    digests: dict[str, str] = {}  # of a lesson and of its evidence: before -> after
    unreadable: list[str] = []  # copies


def lesson_copies(home: str) -> list[str]:
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


def clean_lessons(home: str, traces: Traces, decided: Sequence[Decision], act: bool) -> CleanedLessons:
    """Cleans lessons.json; changes nothing unless `act`."""
    cleaned = CleanedLessons()
    if not act:
        _clean_records(lesson_file.read(home).records, traces, decided, cleaned)
        return cleaned
    with lesson_file.change(home) as file:
        file.changed = _clean_records(file.records, traces, decided, cleaned)
    return cleaned


def clean_lesson_copies(home: str, traces: Traces, decided: Sequence[Decision], act: bool) -> CleanedLessons:
    """Cleans the copies in the backups; the caller holds their lock."""
    cleaned = CleanedLessons()
    for path in lesson_copies(home):
        try:
            file = _read(path)
        except LessonsError:
            cleaned.unreadable.append(path)
            continue
        if _clean_records(file.records, traces, decided, cleaned) and act:
            files.write_bytes(path, file.rendered())
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


def _clean_records(records: list[object], traces: Traces, decided: Sequence[Decision], cleaned: CleanedLessons) -> bool:
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
    for path in lesson_copies(home):
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


Line = dict[str, object]


def decision_copies(home: str) -> list[str]:
    return [path for path in existing(home, "decisions") if os.path.dirname(path) != home.rstrip("/")]


def survey_decisions(home: str, traces: Traces, digests: Mapping[str, str], kept: frozenset[str]) -> int:
    """Returns how many lines would be changed."""
    return _clean_file(paths.decisions_file(home), traces, digests, kept, act=False)


def clean_decisions(home: str, traces: Traces, digests: Mapping[str, str], kept: frozenset[str]) -> int:
    """Returns how many lines were changed. `digests`: present digests of lessons; `kept`: names of existing lessons."""
    with locked(paths.decisions_file(home)):
        return _clean_file(paths.decisions_file(home), traces, digests, kept, act=True)


def clean_decision_copies(home: str, traces: Traces, digests: Mapping[str, str], kept: frozenset[str]) -> None:
    """Cleans the copies; the caller holds the lock of the backups."""
    for path in decision_copies(home):
        _clean_file(path, traces, digests, kept, act=True)


def _clean_file(path: str, traces: Traces, digests: Mapping[str, str], kept: frozenset[str], act: bool) -> int:
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return 0
    before = content.splitlines()
    unknown = _slugs_of_what_is_gone(before, traces) - kept
    after = [_cleaned(line, traces, digests, unknown) for line in before]
    if act and before != after:
        files.write_bytes(path, b"".join(line + b"\n" for line in after if line is not None))
    return sum(_decoded(one) != (_decoded(other) if other else None) for one, other in zip(before, after, strict=True))


def _cleaned(line: bytes, traces: Traces, digests: Mapping[str, str], unknown: set[str]) -> bytes | None:
    """Returns the cleaned line; None if nothing of it stays. Drops damaged lines, which may contain anything."""
    decision = _decoded(line)
    if decision is None:
        return None
    cleaned: Line = json.loads(json.dumps(decision))
    if isinstance(evidence := cleaned.get("before"), dict):
        clean_evidence(evidence, traces)
    if str(cleaned.get("digest")) in digests:
        cleaned["digest"] = digests[str(cleaned["digest"])]
    name = str(cleaned.get("fingerprint", ""))
    # A reason may be about any occurrence of the candidate; one about a lesson is about the time of the line.
    if name in traces.deleted.candidates or (not name and str(cleaned.get("time", "")) < traces.scope.before):
        cleaned.pop("reason", None)
    if cleaned.get("slug") in unknown:
        if not name:
            return None
        del cleaned["slug"]
    if cleaned == decision:
        return line[max(line.rfind(BEGINNING), 0) :]
    return json.dumps(cleaned, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _slugs_of_what_is_gone(lines: list[bytes], traces: Traces) -> set[str]:
    """Returns the slugs of lessons without evidence left: a slug is made of the words of its lesson."""
    decided = filter(None, map(_decoded, lines))
    return {str(each["slug"]) for each in decided if each.get("slug") and each.get("fingerprint") in traces.unsupported}


def _decoded(line: bytes) -> Line | None:
    try:
        value = json.loads(line[max(line.rfind(BEGINNING), 0) :])
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
