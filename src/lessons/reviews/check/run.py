"""Checks files; stores earlier warnings in `warned-files.json`."""

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from lessons.reviews.check import graduation
from lessons.reviews.check.file_rules import FileRule
from lessons.reviews.check.findings import Found, findings_in
from lessons.reviews.check.firing import FiringRules
from lessons.reviews.check.graduation import Level, key_of
from lessons.reviews.check.skipped import MOST_BYTES, Reason, why_by_content, why_by_name
from lessons.reviews.permission import may_be_kept
from lessons.store.project_state import session_state, warned_files
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.project_state.timestamps import seconds, time_of
from lessons.system import is_alive

_LONGEST_UNKNOWN_SESSION = 24 * 3600


class Content(NamedTuple):
    """A file by its path from the root, and its content; None: unreadable."""

    path: str
    content: bytes | None
    skipped: Reason | None = None  # a reason known before it is read


class Checked(msgspec.Struct):
    """The files and findings of a run."""

    files: int = 0
    paths: list[str] = []
    skipped: Counter[Reason] = msgspec.field(default_factory=Counter)
    found: list[Found] = []
    slugs: set[str] = set()


class Finding(msgspec.Struct, frozen=True):
    file: str
    line: int
    slug: str
    level: Level
    message: str


def contents(root: str, paths: Iterable[str]) -> Iterator[Content]:
    """Reads from disk; follows no links, and stops reading a file that is too large."""
    for path in paths:
        if why_by_name(path):
            yield Content(path, b"")
            continue
        try:
            with open(f"{root}/{path}", "rb", buffering=0, opener=_carefully) as file:
                yield Content(path, file.read(MOST_BYTES + 1))
        except OSError:
            yield Content(path, None)


def _carefully(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def check(root: str, files: Iterable[Content], rules: Sequence[FileRule]) -> Checked:
    checked, firing = Checked(slugs={rule.lesson.slug for rule in rules}), FiringRules(rules)
    for path, content, known in files:
        reason = known or ("unreadable" if content is None else why_by_name(path) or why_by_content(content))
        if content is None or reason:
            checked.skipped[reason or "unreadable"] += 1
            continue
        checked.files += 1
        checked.paths.append(path)
        checked.found += findings_in(root, path, content.decode("utf-8", "replace"), firing)
    return checked


def graduated(place: StatePaths, checked: Checked, strict: bool) -> list[Finding]:
    """Returns each finding that no comment excludes, with its level; `strict` neither reads nor writes the state."""
    open_ones = [each for each in checked.found if not each.excluded]
    if strict:
        return [_finding(each, "fail") for each in open_ones]
    warned, began, now = warned_files.read(place), session_began(place), time.time()
    if may_be_kept(place):
        seen = {key_of(each.file, each.slug) for each in open_ones}
        files, moment = set(checked.paths), time_of(datetime.now(UTC))
        warned_files.change(place, lambda before: graduation.after_check(before, seen, files, checked.slugs, moment))
    if warned is None:
        return [_finding(each, "warn") for each in open_ones]
    return [
        _finding(each, graduation.level_of(warned.get(key_of(each.file, each.slug)), now, began)) for each in open_ones
    ]


def session_began(place: StatePaths) -> float | None:
    """Returns the start of the agent's current session in this project; without one, the start of the day."""
    state = session_state.read_latest(place)
    began = seconds(state.started_at) if state else 0.0
    if state and state.ended_at is None:
        if not began:
            return None
        recent = time.time() - began < _LONGEST_UNKNOWN_SESSION
        if is_alive(state.process) if state.process else recent:
            return began
    return datetime.now().replace(hour=0, minute=0, second=0, microsecond=0).timestamp()


def _finding(found: Found, level: Level) -> Finding:
    return Finding(found.file, found.line, found.slug, level, found.message)
