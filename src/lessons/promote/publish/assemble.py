"""Chooses which lessons are published; reuses what the last build made of unchanged records."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cache
from itertools import combinations
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from lessons.config import Config
from lessons.errors import Refused
from lessons.model import Lesson
from lessons.promote.intake import intake
from lessons.promote.publish.compile import Made, below, made_of
from lessons.promote.publish.entry import project_folders
from lessons.promote.publish.many import made_in_order
from lessons.promote.publish.spool import NewRow, Parts, Spool, parts_of
from lessons.promote.team.team import Team, TeamLesson
from lessons.store.compiled_lessons import Stored, digest_of
from lessons.store.compiled_rows import Row, Rows, split_digests
from lessons.store.lesson_file import LessonFile
from lessons.store.lesson_names import Names
from lessons.store.lesson_record import lesson_of

# How many lessons are compiled so far, and of how many.
Watch = Callable[[int, int], object]


class Exclusion(NamedTuple):
    slug: str
    reason: str


class Assembly(NamedTuple):
    """Every usable lesson in the order of the manifest, and what is said about those that are not in it."""

    rows: list[int | NewRow]  # the place in the build before, or what was made now
    made: int  # how many were made now
    included: int
    excluded: list[Exclusion]
    warnings: list[str]


def unwatched(done: int, total: int) -> None:
    """For a build that nobody waits for."""


def assemble(
    file: LessonFile, team: Team, config: Config, stored: Stored | None, spool: Spool, watch: Watch = unwatched
) -> Assembly:
    """Your own lessons, then those of trusted projects; what is made of them is in the spool."""
    known = _Known(stored, config, spool)
    numbers, own, excluded = _own(file, known, watch)
    excluded += [Exclusion(name, reason) for name, reason in team.left_out]
    chosen = _Chosen(known, excluded, list(team.messages))
    left_out = chosen.take_all(own)
    chosen.take_all([_of_project(each, known) for each in team.lessons])
    shown = {number: row for at, (number, row) in enumerate(zip(numbers, own, strict=True)) if at not in left_out}
    warnings = [*chosen.warnings, *_same_text_warnings(file, shown, known)]
    return Assembly(chosen.rows, known.made, chosen.included, excluded, warnings)


class _Known:
    """What the build before made, where that is what this one would make."""

    def __init__(self, stored: Stored | None, config: Config, spool: Spool) -> None:
        self.config = config
        self.made = 0
        self._spool = spool
        self._rows = stored.rows if stored else Rows()
        self.places = {digest: place for place, digest in enumerate(self._rows.each_digest())}
        is_same_choice = stored is not None and stored.places.thresholds == thresholds(config)
        # 1 where a lesson was in the manifest, is still, and nothing is to be said about it.
        self.plain = self._rows.plain if is_same_choice else bytes(len(self._rows))
        # Links may lead elsewhere by now; many lessons are about one project.
        self._folders: Callable[[str], tuple[str, ...]] = cache(project_folders)
        self._looked_up: dict[int, Row] = {}

    def row(self, row: int | NewRow) -> Row:
        if isinstance(row, NewRow):
            return row.row()
        if row not in self._looked_up:
            self._looked_up[row] = self._rows.row(row)
        return self._looked_up[row]

    def problems(self, rows: Iterable[int | NewRow]) -> list[bytes]:
        """Of each row the digest of what the lesson says is wrong."""
        noted = split_digests(self._rows.problems)
        return [row.problem if isinstance(row, NewRow) else noted[row] for row in rows]

    def each_place(self, digests: list[bytes]) -> Iterator[int | None]:
        plain = self.plain
        for place in map(self.places.get, digests):
            yield place if place is None or plain[place] else self._checked(place)

    def place(self, digest: bytes) -> int | None:
        return next(self.each_place([digest]))

    def _checked(self, place: int) -> int | None:
        """The place, where what was made there is what this build would make."""
        row = self.row(place)
        if not row.is_kept or (row.project and self._folders(row.project) != row.folders):
            return None
        if row.compiled is None and not row.standing and not below(row, self.config):
            return None  # other settings left it out
        return place

    def put(self, parts: Parts | str) -> NewRow:
        """Refused where the lesson cannot be used."""
        if isinstance(parts, str):
            raise Refused(parts)
        new = self._spool.put(parts)
        self.made += new.is_published
        return new

    def left_out(self, row: Row) -> NewRow:
        """What was made of a lesson that is left out now is in no file: it is made again when it is needed."""
        return self._spool.put(parts_of(Made(replace(row, compiled=None))))


class _Chosen:
    """The rows so far, how many of them are in the manifest, and what is said about the others."""

    def __init__(self, known: _Known, excluded: list[Exclusion], warnings: list[str]) -> None:
        self.rows: list[int | NewRow] = []
        self.included = 0
        self.excluded = excluded
        self.warnings = warnings
        self._known = known
        self._has_no_id = False

    def take_all(self, rows: list[int | NewRow]) -> set[int]:
        """Adds the rows; returns the positions of those that are not in the manifest."""
        left_out: set[int] = set()
        plain = self._known.plain
        for position, row in enumerate(rows):
            if isinstance(row, int) and plain[row]:
                continue
            full = self._known.row(row)
            if not (reason := self._reason(full)):
                self._has_no_id |= not full.facts.id
                continue
            self.excluded.append(Exclusion(full.facts.slug, reason))
            left_out.add(position)
            if full.compiled is not None and not full.compiled.reason:
                rows[position] = self._known.left_out(full)
        self.rows += rows
        self.included += len(rows) - len(left_out)
        return left_out

    def _reason(self, row: Row) -> str:
        if reason := row.standing or below(row, self._known.config):
            return reason
        if self._has_no_id and not row.facts.id:
            return "its id is empty, as that of another lesson: give it one."
        if row.compiled is None:
            return ""
        self.warnings += row.compiled.warnings
        return row.compiled.reason


def thresholds(config: Config) -> tuple[float, float]:
    """The settings that leave lessons out."""
    return config.min_confidence, config.min_priority


def _own(file: LessonFile, known: _Known, watch: Watch) -> tuple[list[int], list[int | NewRow], list[Exclusion]]:
    """The numbers and rows of usable records, and why others are none."""
    rows: list[int | NewRow | None] = [*known.each_place(file.digests())]
    refused = {} if file.has_distinct_names() else _refused_names(file, rows, known)
    unknown = [number for number, place in enumerate(rows, start=1) if place is None and number not in refused]
    with closing(made_in_order(file, unknown, known.config)) as made:
        for number, parts in zip(unknown, _watched(made, len(unknown), watch), strict=True):
            try:
                rows[number - 1] = known.put(parts)
            except Refused as fault:
                refused[number] = fault
    excluded = []
    for number, reason in sorted(refused.items()):
        problem = file.problem(number, reason)
        excluded.append(Exclusion(problem.name or f"lesson {number}", problem.sentence))
    usable = {number: row for number, row in enumerate(rows, start=1) if row is not None and number not in refused}
    return [*usable], [*usable.values()], excluded


def _refused_names(file: LessonFile, rows: list[int | NewRow | None], known: _Known) -> dict[int, Refused]:
    """Why records are left out that are invalid, or have the id or slug of another: nothing is made of them."""
    refused = {}
    names = Names()
    for number, row in enumerate(rows, start=1):
        try:
            named = lesson_of(file.record(number)) if row is None else known.row(row).facts
            names.take(number, (named.id, named.slug))
        except Refused as reason:
            refused[number] = reason
    return refused


def _watched(made: Iterator[Parts | str], total: int, watch: Watch) -> Iterator[Parts | str]:
    for done, each in enumerate(made, start=1):
        watch(done, total)
        yield each


def _of_project(each: TeamLesson, known: _Known) -> int | NewRow:
    digest = digest_of(msgspec.json.encode((each.path, each.record())))
    place = known.place(digest)
    return known.put(parts_of(made_of(digest, each.lesson, known.config, each.path))) if place is None else place


def _same_text_warnings(file: LessonFile, rows: dict[int, int | NewRow], known: _Known) -> list[str]:
    """Of lessons that came in before this was refused, or by hand."""
    problems = known.problems(rows.values())
    if len(set(problems)) == len(problems):
        return []
    times = Counter(problems)
    by_text: dict[bytes, list[Lesson]] = {}
    for number, problem in zip(rows, problems, strict=True):
        if times[problem] > 1:
            by_text.setdefault(problem, []).append(lesson_of(file.record(number)))
    pairs = ((one, other) for alike in by_text.values() for one, other in combinations(alike, 2))
    remedy = "put the triggers of both into one lesson"
    return [
        f"{other.slug}: problem and solution are the same as those of {one.slug}, and both are shown: {remedy}."
        for one, other in pairs
        if intake.is_same_text(one, other)
    ]
