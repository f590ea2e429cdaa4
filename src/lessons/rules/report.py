"""Joins files, shapes, history and lessons: one row for each rule, and what changed in the files since."""

import os
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

import msgspec

from lessons import paths
from lessons.errors import NotFound
from lessons.model import Lesson, Triggers, WrittenRule, document_from_triggers
from lessons.promote import team
from lessons.rules.files import FoundFiles, RuleFile, named_files
from lessons.rules.judge import Check, Figures, figures_of
from lessons.rules.sentences import Written, written_rules
from lessons.rules.shapes import Checked, checked
from lessons.store import lesson_file, project_folder
from lessons.store.history.history import History

_LEAST_LIKENESS = 0.6  # of a changed sentence and the one before


class Row(msgspec.Struct):
    """One rule: how it can be checked, what the history says, and the lesson that enforces it."""

    written: Written
    checked: Checked
    figures: Figures = msgspec.field(default_factory=Figures)
    slug: str | None = None

    @property
    def id(self) -> str:
        return self.written.id

    def document(self) -> dict[str, object]:
        figures, triggers = self.figures, self.checked.broken
        return {
            "id": self.id,
            "file": self.written.file.path,
            "line": self.written.line,
            "section": self.written.section,
            "text": self.written.text,
            "checked": self.checked.certainty,
            "triggers": document_from_triggers(triggers) if triggers else None,
            "applicable": figures.applicable,
            "broken": figures.broken,
            "unknown": figures.unknown,
            "sessions": figures.sessions,
            "cost": {"tokens": figures.tokens, "seconds": figures.seconds},
            "lastBroken": figures.last_broken or None,
            "examples": [past.tool_use_id for past in figures.breaches],
            "slug": self.slug,
        }


class Change(msgspec.Struct, frozen=True):
    """An enforced rule that stands differently in its file, or no more."""

    slug: str
    file: str
    line: int
    before: str
    after: str | None  # None: the sentence is gone

    @property
    def sentence(self) -> str:
        if self.after is None:
            return f"{self.file} no longer has “{self.before}”: `lessons archive {self.slug}` retires its lesson."
        return f"{self.file}:{self.line} changed to “{self.after}”; {self.slug} still enforces “{self.before}”."


class RuleReport(msgspec.Struct):
    rows: list[Row]
    changes: list[Change]
    skipped: list[str]
    sessions: int = 0  # of the history


def report_of(home: str, found: FoundFiles, root: str) -> RuleReport:
    """Returns the rules of these files, the most broken first; reads the history once for all of them."""
    rows = [Row(each, checked(each.text, each.section)) for each in written_rules(found.files)]
    changes = _join(rows, _enforcing(home, root), root)
    own = {each.slug: each for each in lesson_file.read(home).lessons()}
    for row in rows:
        lesson = own.get(row.slug or "")
        if lesson and row.checked.broken and _is_of_calls(lesson.triggers):  # a person may have edited it
            row.checked = row.checked._replace(broken=lesson.triggers)
    sessions = count(home, rows)
    rows.sort(key=_rank)
    return RuleReport(rows, changes, found.skipped, sessions)


def count(home: str, rows: Sequence[Row]) -> int:
    """Fills in the figures of rules that can be checked; returns the number of sessions of the history."""
    able = [row for row in rows if row.checked.broken]
    if not os.path.exists(paths.history_file(home)):
        return 0
    try:
        with History.for_reading(home) as history:
            found = figures_of(history, [Check(row.checked, row.written.file.project) for row in able])
            sessions = len(history.sessions.spans())
    except NotFound:
        return 0
    for row, figures in zip(able, found, strict=True):
        row.figures = figures
    return sessions


def _rank(row: Row) -> tuple[object, ...]:
    kinds = ("broken", "depends", "order", "none")
    return (-row.figures.broken, kinds.index(row.checked.certainty), -row.figures.unknown, -row.figures.applicable)


def _is_of_calls(triggers: Triggers) -> bool:
    return bool(triggers.command_patterns or triggers.path_patterns or triggers.content_patterns)


def _enforcing(home: str, root: str) -> list[tuple[Lesson, WrittenRule]]:
    """Returns the lessons that enforce a rule: your own, then those that the project shares."""
    lessons = [each for each in lesson_file.read(home).lessons() if each.stage != "retired"]
    names = {each.slug for each in lessons}
    shared = team.judge(root) if os.path.isdir(project_folder.folder_of(root)) else []
    lessons += [each.lesson for each in shared if each.lesson and each.lesson.slug not in names]
    return [(each, each.rule) for each in lessons if each.rule and each.rule.text]


def place_in_record(file: RuleFile, user_home: str) -> str:
    """Returns the path as a lesson remembers it: the same on every machine."""
    for folder, start in ((file.project, ""), (user_home, "~/")):
        if folder and file.path.startswith(folder.rstrip("/") + "/"):
            return start + file.path[len(folder.rstrip("/")) + 1 :]
    return file.path


def _path_of(lesson: Lesson, rule: WrittenRule, root: str) -> str:
    """Returns the file that the record means; empty if that is of another project."""
    if rule.file.startswith("~/"):
        return os.path.expanduser(rule.file)
    project = lesson.scope.path if lesson.scope.type == "project" else None
    if project and os.path.realpath(project) != os.path.realpath(root):
        return ""
    return os.path.join(root, rule.file)


def _join(rows: Sequence[Row], enforcing: Iterable[tuple[Lesson, WrittenRule]], root: str) -> list[Change]:
    """Gives each row its lesson; returns the lessons whose sentence changed or is gone."""
    files = {os.path.realpath(row.written.file.path): row.written.file for row in rows}
    lost: list[tuple[Lesson, WrittenRule, str]] = []
    for lesson, rule in enforcing:
        path = _path_of(lesson, rule, root)
        same = [row for row in rows if row.written.text == rule.text and path and _is_file(row, path)]
        if same:
            same[0].slug = lesson.slug
        elif path and (os.path.realpath(path) in files or _is_read(path, root)):
            lost.append((lesson, rule, path))
    changes = []
    for lesson, rule, path in lost:
        free = [row for row in rows if row.slug is None and _is_file(row, path)]
        near = max(free, key=lambda row: _likeness(row, rule), default=None)
        if near is not None and _likeness(near, rule) >= _LEAST_LIKENESS:
            changes.append(Change(lesson.slug, rule.file, near.written.line, rule.text, near.written.text))
        else:
            changes.append(Change(lesson.slug, rule.file, rule.line, rule.text, None))
    return changes


def _is_file(row: Row, path: str) -> bool:
    return os.path.realpath(row.written.file.path) == os.path.realpath(path)


def _is_read(path: str, root: str) -> bool:
    """Whether the file is gone, or has no rules any more; one that was not asked for may be as it was."""
    if not os.path.lexists(path):
        return True
    return not written_rules(named_files([path], root, os.path.expanduser("~")).files)


def _likeness(row: Row, rule: WrittenRule) -> float:
    return SequenceMatcher(None, row.written.text, rule.text).ratio()


def headline(report: RuleReport) -> str:
    """Returns one line for `init`; empty without rules that can be checked."""
    able = [row for row in report.rows if row.checked.broken]
    if not able:
        return ""
    names = {os.path.basename(row.written.file.path) for row in report.rows}
    whose = next(iter(names)) if len(names) == 1 else f"{len(names)} files with instructions"
    broken = sum(row.figures.broken for row in able)
    verb = "has" if len(names) == 1 else "have"
    times = "never broken" if not broken else "broken once" if broken == 1 else f"broken {broken:,} times"
    counts = f"{len(able)} can be checked: {times} in {report.sessions:,} sessions"
    return f"Your {whose} {verb} {len(report.rows):,} rules. {counts}: lessons rules"
