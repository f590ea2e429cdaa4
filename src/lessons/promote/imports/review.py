"""A draft, the common form of all formats."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from lessons import paths
from lessons.candidate import IMPORT, REPORT, CandidateDocument, CandidateKind, Occurrence, word_for
from lessons.errors import NotFound, Refused
from lessons.lesson_fields import BEFORE_A_CALL, patterns_in
from lessons.model import Lesson, document_from_lesson, document_from_triggers, lesson_from_document
from lessons.promote import catalog, intake
from lessons.promote.intake import hidden_problems
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.slow import find_danger
from lessons.promote.queue import export
from lessons.promote.trigger_rules import bare_word_warnings
from lessons.store import decisions, lesson_file
from lessons.store.history.candidates import CandidateRow, written_row
from lessons.store.history.history import History
from lessons.system import open_regular

LARGEST_FILE = 16 * 1024 * 1024
MOST_DRAFTS = 1000
_LONGEST_NAME = 80
_LONGEST_SUMMARY = 120


class Draft(NamedTuple):
    """One lesson of another system; `refusal` says why it cannot become one of ours."""

    place: str
    name: str
    document: dict[str, object] = {}  # noqa: RUF012  (never changed)
    refusal: str = ""
    note: str = ""
    is_whole: bool = False  # it has all fields of a lesson, as this tool knows them


class Source(NamedTuple):
    """One file, its drafts, and the project that its rules are for (empty: all of them)."""

    path: str
    project: str
    drafts: list[Draft]


class NotOurs(Exception):
    """Why a record of another system cannot become a lesson; it is stored in `refusal`."""


def content_of(path: str, largest: int = LARGEST_FILE) -> bytes:
    """Returns the bytes of a plain file; refuses anything else, and files far too large for lessons."""
    try:
        with open_regular(path) as file:
            content = file.read(largest + 1)
    except FileNotFoundError:
        raise NotFound(f"No file {path}: give a file or a folder to import.") from None
    except OSError as fault:
        raise Refused(f"{path} cannot be read ({fault.strerror}): give a file or a folder to import.") from None
    if len(content) > largest:
        raise Refused(f"{path} is larger than {largest // 1024**2} MB: too large for lessons.")
    return content


def text_of(path: str) -> str:
    try:
        return content_of(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8 text: save it as UTF-8.") from None


def short_name(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_NAME else line[: _LONGEST_NAME - 1].rstrip() + "…"


def first_sentence(text: str) -> str:
    """Returns what fits a summary: the first sentence, or whole words from its beginning."""
    line = " ".join(text.split())
    for position, character in enumerate(line[:_LONGEST_SUMMARY]):
        if character in ".!?。" and line[position + 1 : position + 2] in ("", " ") and position >= 19:
            return line[:position]
    if len(line) <= _LONGEST_SUMMARY:
        return line.rstrip(".")
    return line[: _LONGEST_SUMMARY + 1].rpartition(" ")[0].rstrip(",;:–-") or line[:_LONGEST_SUMMARY]


_LARGEST_LESSON = 32 * 1024
BLOCKS = "it blocks the call there; here it is a hint until your history supports a block"
# How a draft acts, which a person decides in review.
_AFTER_REVIEW = ("block", "blockReason", "stopOnce", "stage", "needsReview")
# Fields of a draft that only its lesson needs, after a review.
KEPT = ("id", "slug", "injection", "blockReason", "priority", "occurrenceCount", "sourceSessionIds", "createdAt")
TAKEN, REFUSED, ALREADY_THERE = "taken", "refused", "already there"
# Takes a text, returns it without secrets; passed in, because secrets belong to another stage.
Redact = Callable[[str], str]


class Line(NamedTuple):
    """The result for one draft, and why."""

    file: str
    place: str
    name: str
    result: str
    reason: str = ""
    fingerprint: str = ""


def into_review(
    home: str, sources: Iterable[Source], redact: Redact, dry_run: bool = False, take_over: bool = False
) -> list[Line]:
    """Stores accepted drafts as candidates, in one step; a dry run stores nothing.

    With `take_over` those that are whole become lessons at once, blocks included: a person has agreed to that.
    """
    desk = Desk(lesson_file.read(home).lessons(), _known(home, dry_run), redact, take_over=take_over)
    lines = [desk.judge(source, draft) for source in sources for draft in source.drafts]
    if desk.rows and not dry_run:
        with History.opened(home) as history, history.transaction():
            history.candidates.add_imported(desk.rows)
        export(home)
    if desk.records and not dry_run:
        catalog.change_all(home, desk.records, {})
        for record in desk.records:
            decisions.record(home, decisions.IMPORTED, str(record["slug"]))
    return lines


def _known(home: str, dry_run: bool) -> dict[str, str]:
    """Returns those of earlier imports; migrates a history of an older version, or one just created."""
    if not os.path.exists(paths.history_file(home)):
        return {}
    try:
        with History.for_reading(home) if dry_run else History.opened(home) as history:
            return history.candidates.statuses_of(IMPORT)
    except NotFound:
        return {}


class Desk:
    """Judges drafts one by one, each also against those accepted before it."""

    def __init__(
        self,
        lessons: list[Lesson],
        known: dict[str, str],
        redact: Redact,
        kind: CandidateKind = IMPORT,
        take_over: bool = False,
    ) -> None:
        self._kind: CandidateKind = kind
        self._take_over = take_over
        self._lessons = lessons
        self._hashes = {intake.hash_of(lesson): lesson.slug for lesson in lessons}
        self._known = dict(known)
        self._redact = redact
        self.rows: list[CandidateRow] = []
        self.records: list[dict[str, object]] = []

    def judge(self, source: Source, draft: Draft) -> Line:
        line = Line(source.path, draft.place, draft.name, REFUSED, draft.refusal)
        if draft.refusal:
            return line
        takes_over = draft.is_whole and self._take_over
        try:
            record = self._record(source, draft, takes_over)
            lesson = lesson_from_document(record)
        except Refused as refused:
            return line._replace(reason=str(refused))
        mark = intake.hash_of(lesson)
        fingerprint = f"{self._kind}-{hashlib.sha256(mark.encode()).hexdigest()[:24]}"
        if mark in self._hashes:
            return line._replace(result=ALREADY_THERE, reason=f"it is your lesson {self._hashes[mark]}.")
        if status := self._known.get(fingerprint):
            where = "it is already a candidate." if status == "candidate" else f"it was {word_for(status)} before."
            return line._replace(result=ALREADY_THERE, reason=where, fingerprint=fingerprint)
        if same := next((other.slug for other in self._lessons if intake.is_same_text(lesson, other)), ""):
            return line._replace(result=ALREADY_THERE, reason=f"{same} has the same text.")
        found = intake.check_new(document_from_lesson(lesson), self._lessons)
        # A slow pattern is a problem too, as it could never fire.
        if problems := found.problems or entry_of(lesson, find_danger).left_out:
            return line._replace(reason=" ".join(problems))
        kept = {name: self._clean(draft.document[name]) for name in KEPT if draft.is_whole and name in draft.document}
        if same := next((other.slug for other in self._lessons if other.id == lesson.id), ""):
            if takes_over:
                return line._replace(reason=f"id is {lesson.id}, as that of {same}: edit {same}, or remove the id.")
            del kept["id"]
        self._lessons.append(lesson)
        effect = "it blocks calls" if lesson.block else BLOCKS if draft.document.get("block") else ""
        notes = filter(None, [effect, draft.note, *bare_word_warnings(draft.document)])
        if takes_over:
            self.records.append(record)
            return line._replace(result=TAKEN, reason="; ".join(notes))
        self._known[fingerprint] = "candidate"
        text = _document(lesson, source, draft, kept)
        self.rows.append(written_row(self._kind, fingerprint, text, lesson.confidence))
        return line._replace(result=TAKEN, reason="; ".join(notes), fingerprint=fingerprint)

    def _record(self, source: Source, draft: Draft, takes_over: bool) -> dict[str, object]:
        if hidden := list(hidden_problems(draft.document)):
            raise Refused(" ".join(hidden))
        if len(msgspec.json.encode(draft.document)) > _LARGEST_LESSON:
            raise Refused(f"it is larger than {_LARGEST_LESSON // 1024} KB: too large for one lesson.")
        document = {key: self._clean(value) for key, value in draft.document.items()}
        if document.get("triggers") != draft.document.get("triggers"):
            raise Refused("triggers seems to contain a secret: remove it first.")
        if source.project and "scope" not in document:
            document["scope"] = {"type": "project", "path": source.project}
        for name in () if takes_over else _AFTER_REVIEW:
            document.pop(name, None)
        # Uses the name it has there: another draft with the same text is reported with it.
        document.setdefault("slug", "-".join(re.findall("[a-z0-9]+", draft.name.lower())) or "lesson")
        if taken := {lesson.slug for lesson in self._lessons if takes_over} & {document["slug"]}:
            document["slug"] = intake.slug_for(str(document["summary"]), taken)
        return intake.normalise(document)

    def _clean(self, value: object) -> object:
        """Removes secrets, which are never stored."""
        if isinstance(value, str):
            return self._redact(value)
        if isinstance(value, list):
            return [self._clean(each) for each in value]
        if isinstance(value, dict):
            return {key: self._clean(each) for key, each in value.items()}
        return value


def _document(lesson: Lesson, source: Source, draft: Draft, kept: dict[str, object]) -> str:
    triggers = lesson.triggers
    patterns = [pattern for _, values in patterns_in(triggers, BEFORE_A_CALL) for pattern in values]
    document = CandidateDocument(
        tool=next(iter(triggers.tool_names), ""),
        problem=lesson.problem,
        solution=lesson.solution,
        summary=lesson.summary,
        trigger=next(iter(patterns), ""),
        tags=lesson.tags,
        triggers=document_from_triggers(triggers),
        project=lesson.scope.path or "",
        kept=kept,
        source=f"{source.path}, {draft.place}" if draft.place not in source.path else source.path,
    )
    return document.text()


class Provenance(NamedTuple):
    """Who reported it, in which session, about which project, and when."""

    agent: str
    session: str
    project: str
    time: str


def report(home: str, document: dict[str, object], by: Provenance, redact: Redact) -> Line:
    """Stores the report as a candidate; an existing one gets another occurrence."""
    problem = str(document["problem"])
    draft = Draft("reported over MCP", short_name(problem), {"summary": first_sentence(problem), **document})
    source = Source(by.agent, "", [draft])
    with History.opened(home) as history, history.transaction():
        desk = Desk(lesson_file.read(home).lessons(), history.candidates.statuses_of(REPORT), redact, REPORT)
        line = desk.judge(source, draft)
        if line.result != REFUSED and line.fingerprint:
            seen = Occurrence(by.session, by.session, "", "", by.project, by.time, "")
            history.candidates.add_reported(desk.rows, line.fingerprint, seen)
    export(home)
    return line
