"""Chooses which lessons are published; reuses what the last build made of unchanged records."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import NamedTuple

import msgspec

from lessons.config import Config
from lessons.errors import Refused
from lessons.model import Lesson
from lessons.promote.intake import intake
from lessons.promote.publish.compile import New, below, made_of
from lessons.promote.publish.entry import project_folders
from lessons.promote.team.team import Team, TeamLesson
from lessons.store.compiled_lessons import Row, Stored, digest_of
from lessons.store.lesson_file import LessonFile
from lessons.store.lesson_names import Names
from lessons.store.lesson_record import lesson_of


class Exclusion(NamedTuple):
    slug: str
    reason: str


class Assembly(NamedTuple):
    """Every usable lesson in the order of the manifest, which of them are in it, and what is said about the others."""

    usable: list[Row]
    included: list[Row]
    new: dict[bytes, New]  # by the digest of the row; what is not here stands in the files of the build before
    excluded: list[Exclusion]
    warnings: list[str]


def assemble(file: LessonFile, team: Team, config: Config, stored: Stored | None) -> Assembly:
    """Your own lessons, then those of trusted projects."""
    known = _Known(stored, config)
    own, excluded = _own(file, known)
    excluded += [Exclusion(name, reason) for name, reason in team.left_out]
    usable = [*own.values(), *(_of_project(each, known) for each in team.lessons)]
    included: dict[str, Row] = {}
    warnings = list(team.told)
    for row in usable:
        reason = row.standing or below(row, config)
        if not reason and row.compiled:
            warnings += row.compiled.warnings
            reason = row.compiled.reason
        if reason:
            excluded.append(Exclusion(row.facts.slug, reason))
        else:
            included[row.facts.id] = row
    warnings += _same_text_warnings(file, {at: row for at, row in own.items() if row.facts.id in included})
    return Assembly(usable, list(included.values()), known.new, excluded, warnings)


class _Known:
    """What the build before made, where that is what this one would make."""

    def __init__(self, stored: Stored | None, config: Config) -> None:
        self.config = config
        self.new: dict[bytes, New] = {}
        self._rows = stored.rows if stored else {}
        # Links may lead elsewhere by now; many lessons are about one project.
        self._folders: Callable[[str], tuple[str, ...]] = cache(project_folders)

    def row(self, digest: bytes) -> Row | None:
        row = self._rows.get(digest)
        if row is None or not row.is_kept or (row.project and self._folders(row.project) != row.folders):
            return None
        if row.compiled is None and not row.standing and not below(row, self.config):
            return None  # other settings left it out
        return row

    def make(self, digest: bytes, lesson: Lesson, trusted_from: str = "") -> Row:
        made = made_of(digest, lesson, self.config, trusted_from)
        if made.new:
            self.new[digest] = made.new
        return made.row


def _own(file: LessonFile, known: _Known) -> tuple[dict[int, Row], list[Exclusion]]:
    """The rows of usable records by their number, and why others are none."""
    rows, excluded, names = {}, [], Names()
    for number, digest in enumerate(file.digests(), start=1):
        try:
            row = known.row(digest)
            lesson = None if row else lesson_of(file.record(number))
            named = row.facts if row else lesson
            assert named is not None
            names.take(number, (named.id, named.slug))
            rows[number] = row or known.make(digest, lesson)  # type: ignore[arg-type]
        except Refused as refused:
            problem = file.problem(number, refused)
            excluded.append(Exclusion(problem.name or f"lesson {number}", problem.sentence))
    return rows, excluded


def _of_project(each: TeamLesson, known: _Known) -> Row:
    digest = digest_of(msgspec.json.encode((each.path, each.record())))
    return known.row(digest) or known.make(digest, each.lesson, each.path)


def _same_text_warnings(file: LessonFile, rows: dict[int, Row]) -> list[str]:
    """Of lessons that came in before this was refused, or by hand."""
    times = Counter(row.facts.problem for row in rows.values())
    by_text: dict[bytes, list[Lesson]] = {}
    for number, row in rows.items():
        if times[row.facts.problem] > 1:
            by_text.setdefault(row.facts.problem, []).append(lesson_of(file.record(number)))
    pairs = ((one, other) for alike in by_text.values() for one, other in combinations(alike, 2))
    remedy = "put the triggers of both into one lesson"
    return [
        f"{other.slug}: problem and solution are the same as those of {one.slug}, and both are shown: {remedy}."
        for one, other in pairs
        if intake.is_same_text(one, other)
    ]
