"""Checks files with the lessons that look at what is written: findings, and which of them fail."""

import os
import re
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import msgspec

from lessons.match.call import ToolCall, fold
from lessons.match.rule import find, in_project
from lessons.match.time_limit import time_limit, why_it_fires
from lessons.project_state import seconds, time_of
from lessons.reviews.review_log import may_be_kept
from lessons.store.manifest import PublishedLesson, compile_source
from lessons.store.state_files import change_warned, read_warned, session_states
from lessons.store.state_paths import StatePaths
from lessons.system import is_alive

Reason = Literal["binary", "large", "generated", "unreadable"]
MOST_BYTES = 1024 * 1024
_HEAD = 2048
_NAMES = re.compile(
    r"(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|poetry\.lock|uv\.lock|Pipfile\.lock"
    r"|Cargo\.lock|Gemfile\.lock|composer\.lock|go\.sum|flake\.lock)$"
    r"|\.min\.(?:js|css)$|\.map$|_pb2(?:_grpc)?\.py$|\.pb\.go$|\.g\.dart$|(?:^|/)(?:node_modules|vendor|third_party)/"
)
# In the first lines, as linters and GitHub recognise them.
_MARKS = re.compile(
    rb"@generated\b|Code generated .{0,200}DO NOT EDIT|automatically generated[^\n]{0,200}(?:do not edit)", re.I
)


def why_by_name(path: str) -> Reason | None:
    return "generated" if _NAMES.search(path) else None


def why_by_content(content: bytes) -> Reason | None:
    if len(content) > MOST_BYTES:
        return "large"
    if b"\0" in content[: 4 * _HEAD]:
        return "binary"
    head = content[:_HEAD]
    # The plain word first: a case-insensitive search takes longer than all rules together.
    return "generated" if b"generated" in head.lower() and _MARKS.search(head) else None


_COMMENT = re.compile(r"lessons:\s*ignore\s+([\w-]+(?:\s*,\s*[\w-]+)*)(.*)$", re.IGNORECASE)
_ALONE = re.compile(r"^\W*lessons:\s*ignore\b", re.IGNORECASE)
_BEFORE = re.compile(r"[\s:(–—-]*(?:because\b)?[\s:]*", re.IGNORECASE)
_ENDS = ("*/", "-->", "#}", "%>")
_SHORTEST_REASON = 3
MARK = "lessons:"


def reason_for(slug: str, lines: list[str], number: int) -> str | None:
    """Returns the reason at this line (from 1); None if no comment names the lesson, empty if it gives no reason."""
    above = lines[number - 2] if number >= 2 else ""
    for text in (lines[number - 1] if number <= len(lines) else "", above if _ALONE.match(above) else ""):
        found = _COMMENT.search(text)
        if found and slug in [name.strip() for name in found[1].split(",")]:
            reason = _BEFORE.sub("", found[2], count=1).rstrip()
            for end in _ENDS:
                reason = reason.removesuffix(end)
            reason = reason.rstrip().rstrip(")").strip()
            return reason if len(reason) >= _SHORTEST_REASON else ""
    return None


_WRITERS = ("Write", "Edit")


class FileRule(NamedTuple):
    """A lesson, and literals of which every matching text has at least one; None: unknown."""

    lesson: PublishedLesson
    literals: tuple[str, ...] | None


def file_rules(entries: Mapping[str, dict[str, object]], root: str) -> list[FileRule]:
    """Returns the active lessons about file contents or names, ordered by slug.

    Skips lessons with conditions on the machine's state or the agent's surroundings: they are about calls.
    """
    found = []
    for identifier, entry in entries.items():
        if entry.get("stage") in ("shadow", "retired"):
            continue
        if not entry.get("contentRegexSources") and not entry.get("pathRegexSources"):
            continue
        try:
            lesson = PublishedLesson(identifier, entry, compile_source)
        except Exception:  # a bad pattern, already reported by `lessons build`
            continue
        rule = lesson.rule
        writes = not rule.tools or any(name in rule.tools for name in _WRITERS)
        is_about_files = writes and not rule.has_state and not rule.when and not rule.session_start
        if is_about_files and in_project(rule.projects, root):
            literals = entry.get("literals")
            found.append(FileRule(lesson, tuple(map(str, literals)) if isinstance(literals, list) else None))
    return sorted(found, key=lambda rule: rule.lesson.slug)


_MOST_PER_RULE = 20
_MOST_EXCLUDED = 10_000
_FIRST_LINES = 10


Level = Literal["warn", "fail", "excluded"]


class Finding(msgspec.Struct, frozen=True):
    """A lesson that fires on a line of a file; excluded if a comment there gives a reason."""

    file: str
    line: int
    slug: str
    level: Level
    message: str


def findings_in(root: str, path: str, content: str, rules: Sequence[FileRule]) -> list[Finding]:
    """Returns findings in the order of the rules; decides as for a call that writes the whole file."""
    folded = fold(f"{root}/{path}\n{content}")
    likely = [rule for rule in rules if rule.literals is None or any(literal in folded for literal in rule.literals)]
    if not likely:
        return []
    call = ToolCall("Write", {"file_path": path, "content": content}, cwd=root)
    call.names = _WRITERS
    with time_limit() as limit:
        return [
            found
            for rule in likely
            if why_it_fires(rule.lesson.rule, call) is not None
            for found in limit.of_rule(rule.lesson.rule, [], _findings_of, rule.lesson, path, content)
        ]


def _findings_of(lesson: PublishedLesson, path: str, content: str) -> list[Finding]:
    lines = content.split("\n") if MARK in content else []
    if not lesson.rule.content:
        reasons = [reason_for(lesson.slug, lines, number) for number in range(1, min(len(lines), _FIRST_LINES) + 1)]
        return [Finding(path, 1, lesson.slug, "excluded" if any(reasons) else "warn", lesson.summary)]
    findings: list[Finding] = []
    reported = 0
    for number in _line_numbers(lesson.rule.content, content, _MOST_EXCLUDED if lines else _MOST_PER_RULE):
        if reported == _MOST_PER_RULE:
            break
        reason = reason_for(lesson.slug, lines, number) if lines else None
        more = " (the comment that excludes it gives no reason)" if reason == "" else ""
        reported += not reason
        findings.append(Finding(path, number, lesson.slug, "excluded" if reason else "warn", lesson.summary + more))
    return findings


def _line_numbers(patterns: Sequence[re.Pattern[str]], content: str, most: int) -> list[int]:
    """Returns the lines on which a match of one of the patterns starts, spaces before it aside; at most `most`."""
    found: set[int] = set()
    for pattern in patterns:
        position, number, counted = 0, 1, 0
        while len(found) < most and (match := find(pattern, content, position)):
            start = match.end() - len(match[0].lstrip())
            number += content.count("\n", counted, start)
            counted = start
            found.add(number)
            end = content.find("\n", start)
            if end < 0:
                break
            position = end + 1
    return sorted(found)


GRACE_SECONDS = 4 * 3600


def key_of(file: str, slug: str) -> str:
    return f"{file}::{slug}"


def level_of(first_warned: str | None, now: float, session_began: float | None) -> Level:
    """`session_began` is the start of the current session; None if unknown: then nothing fails."""
    warned = seconds(first_warned) if first_warned else 0.0
    if not warned or session_began is None:
        return "warn"
    return "fail" if now - warned >= GRACE_SECONDS and warned < session_began else "warn"


def after_check(
    warned: Mapping[str, str], seen: Collection[str], files: Collection[str], slugs: Collection[str], now: str
) -> dict[str, str]:
    """Returns the new state: new findings with this time, old ones with theirs, without fixed ones.

    `files` and `slugs` were checked; for others it is unknown whether they were fixed.
    """
    after = dict.fromkeys(seen, now)
    for key, time_of_warning in warned.items():
        file, _, slug = key.rpartition("::")
        if key in seen or file not in files or slug not in slugs:
            after[key] = time_of_warning
    return after


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
    found: list[Finding] = []
    slugs: set[str] = set()


def contents(root: str, paths: Iterable[str]) -> Iterator[Content]:
    """Reads from disk; follows no links, and stops reading a file that is too large."""
    for path in paths:
        if why_by_name(path):
            yield Content(path, b"")
            continue
        try:
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            with open(os.open(f"{root}/{path}", flags), "rb", buffering=0) as file:
                yield Content(path, file.read(MOST_BYTES + 1))
        except OSError:
            yield Content(path, None)


def check(root: str, files: Iterable[Content], rules: Sequence[FileRule]) -> Checked:
    checked = Checked(slugs={rule.lesson.slug for rule in rules})
    for path, content, known in files:
        reason = known or ("unreadable" if content is None else why_by_name(path) or why_by_content(content))
        if content is None or reason:
            checked.skipped[reason or "unreadable"] += 1
            continue
        checked.files += 1
        checked.paths.append(path)
        checked.found += findings_in(root, path, content.decode("utf-8", "replace"), rules)
    return checked


def graduated(place: StatePaths, checked: Checked, strict: bool) -> list[Finding]:
    """Returns each finding that no comment excludes, with its level; `strict` neither reads nor writes the state."""
    open_ones = [each for each in checked.found if each.level != "excluded"]
    if strict:
        return [msgspec.structs.replace(each, level="fail") for each in open_ones]
    warned, began, now = read_warned(place), session_began(place), time.time()
    if may_be_kept(place):
        seen = {key_of(each.file, each.slug) for each in open_ones}
        files, moment = set(checked.paths), time_of(datetime.now(UTC))
        change_warned(place, lambda before: after_check(before, seen, files, checked.slugs, moment))
    if warned is None:
        return open_ones
    first = ((each, warned.get(key_of(each.file, each.slug))) for each in open_ones)
    return [msgspec.structs.replace(each, level=level_of(time, now, began)) for each, time in first]


def session_began(place: StatePaths) -> float | None:
    """Returns the start of the agent's current session in this project; without one, the start of the day."""
    state = session_states.read_latest(place)
    began = seconds(state.started_at) if state else 0.0
    if state and state.ended_at is None:
        if not began:
            return None
        recent = time.time() - began < _LONGEST_UNKNOWN_SESSION
        if is_alive(state.process) if state.process else recent:
            return began
    return datetime.now().replace(hour=0, minute=0, second=0, microsecond=0).timestamp()


REVIEW_ABOVE = 10
REMOVE_ABOVE = 20
