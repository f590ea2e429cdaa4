"""Compiles everything that a build, or a comparison with a new lesson, needs of one lesson."""

import json
import re
from typing import NamedTuple

import msgspec

from lessons.config import Config
from lessons.model import Lesson
from lessons.promote.intake.facts import facts_of
from lessons.promote.publish import entry as entries
from lessons.promote.publish import examples
from lessons.promote.publish.conditions import state_warnings
from lessons.promote.publish.index_file import record_of
from lessons.promote.publish.index_keys import Entry, needs_of, ways_of
from lessons.promote.publish.regex_code import with_code
from lessons.promote.slow_regex.probe import find_danger
from lessons.store.compiled_lessons import digest_of
from lessons.store.compiled_rows import Compiled, Facts, Row
from lessons.store.hook_index import checksum

# Another user's folder may move at any time: results that depend on it are not reused.
_OF_ANOTHER = re.compile(r"~[^/]")


class New(NamedTuple):
    """The result for a lesson in this build: text for the manifest, a record for the index, and ways to find it."""

    text: bytes
    record: bytes
    ways: bytes


class Made(NamedTuple):
    """A lesson of this build; `new` is empty if it is left out."""

    row: Row
    new: New | None = None


def made_of(digest: bytes, lesson: Lesson, config: Config, trusted_from: str = "") -> Made:
    """Returns what a full build makes of it; does not compile one that the settings leave out."""
    row = _row(digest, lesson)
    if row.standing or below(row, config):
        return Made(row)
    published, reason = _published(lesson)
    left_out = _named(lesson, published.left_out)
    if reason:
        return Made(_with(row, Compiled(reason, left_out, left_out, False, {})))
    if trusted_from:
        published.entry["trustedFrom"] = trusted_from
    odd = _named(lesson, [*entries.start_warnings(lesson, published.entry), *state_warnings(lesson)])
    failed = _named(lesson, examples.failures(lesson, published.entry))
    new = of_entry(lesson.id, published.entry)
    compiled = compiled_of(new, published.entry, (*left_out, *odd, *failed), (*left_out, *failed))
    return Made(_with(row, compiled), new)


def _named(lesson: Lesson, sentences: list[str]) -> tuple[str, ...]:
    return tuple(f"{lesson.slug}: {sentence}" for sentence in sentences)


def of_entry(identifier: str, entry: Entry) -> New:
    text = json.dumps({identifier: entry}, separators=(",", ":"))[1:-1].encode()
    return New(text, record_of(identifier, needs_of(entry), with_code(entry)), ways_of(entry).to_bytes())


def row_of_entry(identifier: str, entry: Entry) -> Made:
    """Returns a row for an entry of which nothing else is known."""
    new = of_entry(identifier, entry)
    digest = digest_of(identifier.encode("utf-8", "surrogatepass"))
    facts = Facts(identifier, "", digest, digest, 0, b"", ())
    return Made(Row(digest, facts, "", 1.0, 5, "", (), True, compiled_of(new, entry)), new)


def compiled_of(new: New, entry: Entry, warnings: tuple[str, ...] = (), wrong: tuple[str, ...] = ()) -> Compiled:
    """Returns the result; its keys are chosen when all lessons are known."""
    compiled = Compiled("", warnings, wrong, entry.get("sessionStart") is True, {})
    compiled.entry_length = len(new.text)
    compiled.record_length, compiled.record_check = len(new.record), checksum(new.record)
    return compiled


def published_entry(lesson: Lesson, config: Config) -> tuple[entries.Published, str]:
    """Returns the entry of a lesson, and why it is left out of the manifest; empty if it is in it."""
    if reason := _standing(lesson) or _below(lesson.confidence, lesson.priority, config):
        return entries.Published({}, []), reason
    return _published(lesson)


def _published(lesson: Lesson) -> tuple[entries.Published, str]:
    published = entries.entry_of(lesson, find_danger)
    if entries.can_fire(published.entry) and not entries.is_widened(lesson, published.entry):
        return published, ""
    return published, " ".join(published.left_out) or "it has no trigger: add a pattern, a tool or sessionStart."


def _standing(lesson: Lesson) -> str:
    """Returns why a lesson is left out with any settings."""
    if lesson.stage == "retired":
        return "stage is retired."
    if lesson.needs_review:
        return "needsReview is true: set it to false once a person has read the lesson."
    if lesson.scope.type == "project" and not lesson.scope.path:
        return "scope.path is missing: write the absolute path of the project."
    return ""


def below(row: Row, config: Config) -> str:
    """Returns why the settings leave a lesson out."""
    return _below(row.confidence, row.priority, config)


def _below(confidence: float, priority: int, config: Config) -> str:
    if confidence < config.min_confidence:
        return f"confidence is {confidence:g}, below minConfidence {config.min_confidence:g}."
    if priority < config.min_priority:
        return f"priority is {priority}, below minPriority {config.min_priority}."
    return ""


def _is_kept(lesson: Lesson) -> bool:
    """Whether the result for a lesson depends only on its text and on what each build checks again."""
    return not any(_OF_ANOTHER.match(path) for path in (*lesson.triggers.path_patterns, entries.project_of(lesson)))


def _row(digest: bytes, lesson: Lesson) -> Row:
    project = entries.project_of(lesson)
    return Row(
        digest=digest,
        facts=facts_of(lesson),
        standing=_standing(lesson),
        confidence=lesson.confidence,
        priority=lesson.priority,
        project=project,
        folders=entries.project_folders(project),
        is_kept=_is_kept(lesson),
    )


def _with(row: Row, compiled: Compiled) -> Row:
    return msgspec.structs.replace(row, compiled=compiled)
