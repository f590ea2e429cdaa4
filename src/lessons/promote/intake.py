"""Every rule about a lesson record: names, texts, duplicates, and the complete record."""

import hashlib
import json
import re
import secrets
import time
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

import msgspec

from lessons.lesson_fields import FIRING, patterns_in
from lessons.model import (
    HIGHEST_PRIORITY,
    LONGEST_SUMMARY,
    MOST_SOURCE_SESSIONS,
    REVIEW_BELOW_CONFIDENCE,
    SHORTEST_TEXT,
    Lesson,
    document_from_lesson,
    lesson_from_document,
    shown,
)
from lessons.plain import FIRST_UNWRITTEN, HIDDEN
from lessons.promote.publish import examples
from lessons.promote.publish.entry import entry_of, warnings_about
from lessons.promote.publish.slow import find_danger
from lessons.promote.similarity import ALIKE, is_repetition, likeness
from lessons.promote.trigger_rules import anchored, find_placeholder, trigger_problems, trigger_warnings

_LONGEST_BASE = 40
_SUFFIX_LENGTH = 4
_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"
_BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80


def new_id() -> str:
    """Returns a ULID: 48 bits of milliseconds, then 80 random bits. Sorts by creation time."""
    number = time.time_ns() // 1_000_000 << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS)
    return "".join(_BASE32[number >> shift & 31] for shift in range(125, -1, -5))


def slug_for(summary: str, taken: Collection[str]) -> str:
    """Returns the summary in kebab-case with a random suffix, different from every name taken."""
    # Removes accents and drops apostrophes; a script without Latin letters leaves nothing.
    plain = unicodedata.normalize("NFKD", summary.casefold()).encode("ascii", "ignore").decode()
    base = "-".join(re.findall(r"[a-z0-9]+", plain.replace("'", ""))) or "lesson"
    if len(base) > _LONGEST_BASE:
        base = base[: _LONGEST_BASE + 1].rpartition("-")[0] or base[:_LONGEST_BASE]
    while True:
        slug = base + "-" + "".join(secrets.choice(_BASE36) for _ in range(_SUFFIX_LENGTH))
        if slug not in taken:
            return slug


def content_hash(problem: str, solution: str, triggers_document: dict[str, object]) -> str:
    """Returns the same hash for two lessons that teach the same thing at the same calls."""
    triggers = json.dumps(_without_empty(triggers_document), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    content = f"{problem}|{solution}|{triggers}".encode("utf-8", "surrogatepass")
    return "sha256:" + hashlib.sha256(content).hexdigest()


def _without_empty(value: object) -> object:
    if not isinstance(value, dict):
        return value
    filled = ((key, _without_empty(member)) for key, member in value.items())
    return {
        key: member
        for key, member in filled
        if member is not None and member is not False and member not in ("", [], {})
    }


# Control, format, private use, unassigned, surrogate, line and paragraph separators.
_KINDS = ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp")
# Emoji use them to select a colour; they never reach an agent.
_SELECTORS = "\ufe0e\ufe0f"
_MOST_NAMED = 5


def hidden_problems(document: dict[str, object]) -> Iterator[str]:
    """Yields a sentence for each such character, with its field; checks the names of fields too."""
    found = dict.fromkeys((field, sign) for field, text in texts_in(document) for sign in text if _is_hidden(sign))
    for field, sign in list(found)[:_MOST_NAMED]:
        name = f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".rstrip()
        plain = "".join("?" if _is_hidden(each) else each for each in field)
        yield f"{plain} has {name}, a hidden or unassigned character: remove it."
    if len(found) > _MOST_NAMED:
        yield f"There are {len(found) - _MOST_NAMED:,} more such characters: remove them."


def texts_in(value: object, field: str = "") -> Iterator[tuple[str, str]]:
    """Yields every text and every key of a record, each with the field that it is in."""
    if isinstance(value, str):
        yield field, value.replace("\r\n", "\n")
    elif isinstance(value, dict):
        for key, member in value.items():
            place = f"{field}.{key}" if field else str(key)
            yield place, str(key)
            yield from texts_in(member, place)
    elif isinstance(value, list):
        for member in value:
            yield from texts_in(member, field)


def _is_hidden(sign: str) -> bool:
    if sign in "\n\t" or sign in _SELECTORS:
        return False
    return ord(sign) in HIDDEN or sign >= FIRST_UNWRITTEN or unicodedata.category(sign) in _KINDS


TAG_CATEGORIES = ("lang", "tool", "severity", "topic", "candidate")
_TAG = re.compile(r"[a-z][a-z0-9_-]*:[^\s:,]+")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|\\\\")
TEXTS = ("summary", "problem", "solution")
_CUT_OFF = re.compile(r"[\w\s,;:](?:\.\.\.|…)$")  # not `./...`, which is code
_KEYS = frozenset(field.encode_name for field in msgspec.structs.fields(Lesson))


class Intake(NamedTuple):
    """Why a lesson is refused, and warnings about one that is accepted."""

    problems: list[str]
    warnings: list[str]


def check(lesson: Lesson, existing: Iterable[Lesson] = (), typed: Collection[str] = ()) -> Intake:
    """Checks every rule of a lesson record; each broken one gives a sentence with field, value and remedy.

    `typed`: the texts that a person typed; they may be short.
    """
    problems = [
        *record_problems(lesson, typed),
        *trigger_problems(lesson.triggers),
        *_duplicate_problems(lesson, existing),
    ]
    warnings = []
    if lesson.needs_review:
        confidence = f"confidence {lesson.confidence:g}"
        warnings.append(f"needsReview is true ({confidence}): it is not used until a person approves it.")
    for tag in lesson.tags:
        category = tag.partition(":")[0]
        if _TAG.fullmatch(tag) and category not in TAG_CATEGORIES:
            usual = ", ".join(TAG_CATEGORIES)
            warnings.append(f"tags has {shown(tag)}: {category} is not one of the usual {usual}.")
    return Intake(problems, [*warnings, *trigger_warnings(lesson)])


def record_problems(lesson: Lesson, typed: Collection[str] = ()) -> list[str]:
    """Returns what is wrong with a lesson whatever its triggers; one that was written by hand may still act."""
    return [*_text_problems(lesson, typed), *_other_problems(lesson), *_effect_problems(lesson)]


def _text_problems(lesson: Lesson, typed: Collection[str]) -> Iterator[str]:
    for field, text in ((name, str(getattr(lesson, name))) for name in TEXTS):
        if field not in typed and len(text.strip()) < SHORTEST_TEXT:
            yield f"{field} is {shown(text)}: write at least {SHORTEST_TEXT} characters."
        elif field != "problem" and not text.strip():
            yield f"{field} is {shown(text)}: write a text."
        if placeholder := find_placeholder(text):
            remedy = "fill it in, or put it in backticks if it is code"
            yield f"{field} has the placeholder {placeholder}: {remedy}."
    summary = lesson.summary.strip()
    if len(summary) > LONGEST_SUMMARY:
        yield f"summary is {shown(summary)}, {len(summary)} characters: write at most {LONGEST_SUMMARY}."
    if _CUT_OFF.search(summary):
        yield f"summary is {shown(summary)}, which is cut off: write a whole sentence."
    if len(summary.splitlines()) > 1:
        yield f"summary is {shown(summary)}: write it on one line and put the rest into problem."

    if is_repetition(lesson.problem, lesson.solution):
        yield f"solution is {shown(lesson.solution)}, which repeats the problem: say what works instead."


def _other_problems(lesson: Lesson) -> Iterator[str]:
    if not _ID.fullmatch(lesson.id):
        yield f"id is {shown(lesson.id)}: use letters and digits, or leave it out to have one generated."
    if not _SLUG.fullmatch(lesson.slug):
        yield f"slug is {shown(lesson.slug)}: use a-z, 0-9 and hyphens, or leave it out to have one generated."
    if not 0 <= lesson.confidence <= 1:
        yield f"confidence is {lesson.confidence}: write a number from 0 to 1."
    if not 1 <= lesson.priority <= HIGHEST_PRIORITY:
        yield f"priority is {lesson.priority}: write a whole number from 1 to {HIGHEST_PRIORITY}."
    if lesson.occurrence_count < 0:
        yield f"occurrenceCount is {lesson.occurrence_count}: write 0 or more."
    if (number := len(lesson.source_session_ids)) > MOST_SOURCE_SESSIONS:
        yield f"sourceSessionIds has {number} sessions: keep at most {MOST_SOURCE_SESSIONS}."
    path = lesson.scope.path or ""
    if lesson.scope.type == "project" and not _ABSOLUTE.match(path):
        yield f"scope.path is {shown(lesson.scope.path)}: write the absolute path of the project."
    if lesson.scope.type != "project" and path:
        kind = shown(lesson.scope.type)
        yield f'scope.path is {shown(path)} while scope.type is {kind}: write "project" or remove the path.'
    for tag in lesson.tags:
        if not _TAG.fullmatch(tag):
            yield f"tags has {shown(tag)}: write category:value without spaces, such as lang:python."


def _effect_problems(lesson: Lesson) -> Iterator[str]:
    reason = (lesson.block_reason or "").strip()
    if lesson.block and not reason:
        yield f"blockReason is {shown(lesson.block_reason)} while block is true: say why the call is denied."
    if reason and not lesson.block:
        yield f"block is false while blockReason is {shown(reason)}: set block to true or remove blockReason."
    if lesson.block and lesson.stop_once:
        yield "stopOnce is true while block is true: keep one of them."
    if (lesson.block or lesson.stop_once) and lesson.triggers.when and lesson.triggers.when.missing:
        effect = "block" if lesson.block else "stopOnce"
        reason = "which can only hint, because aliases and functions of a shell are not on PATH"
        yield f"{effect} is true with triggers.when.missing, {reason}: remove one of them."


def _duplicate_problems(lesson: Lesson, existing: Iterable[Lesson]) -> Iterator[str]:
    # Computed again on both sides: a hash in a hand-edited file may belong to an earlier text.
    own = hash_of(lesson)
    words = f"{lesson.problem}|{lesson.solution}|"
    for other in existing:
        # The hashed text begins with the problem: most lessons differ there and need no hash.
        if other.id != lesson.id and words.startswith(other.problem) and hash_of(other) == own:
            same = f"contentHash is {own}, the same problem, solution and triggers as {other.slug}"
            yield f"{same}: edit that lesson instead of adding it again."
            return


def same_text_problems(lesson: Lesson, existing: Iterable[Lesson]) -> Iterator[str]:
    """Finds a lesson with the same text, whatever the patterns: both would be shown."""
    for other in existing:
        if other.id != lesson.id and is_same_text(lesson, other):
            same = f"problem and solution are the same as those of {other.slug}"
            yield f"{same}: add the trigger to that lesson with `lessons edit {other.slug}`, or say what is different."
            return


def is_same_text(one: Lesson, other: Lesson) -> bool:
    """Whether two lessons have the same text and could be one: same effect, moment and project."""
    effects = [(each.block, each.stop_once, each.triggers.session_start) for each in (one, other)]
    if effects[0] != effects[1]:
        return False
    if one.scope.type == other.scope.type == "project" and one.scope.path != other.scope.path:
        return False
    return all(_text_key(getattr(one, each)) == _text_key(getattr(other, each)) for each in ("problem", "solution"))


@lru_cache(maxsize=20_000)  # a new lesson is compared with all others
def _text_key(text: str) -> str:
    return " ".join(text.split()).casefold()


def near_duplicate_problems(lesson: Lesson, existing: Iterable[Lesson]) -> Iterator[str]:
    """Finds the near duplicate of a new lesson; existing lessons are not compared with each other."""
    own, here = f"{lesson.problem}\n{lesson.solution}", _moments(lesson)
    shares = (
        (likeness(own, f"{other.problem}\n{other.solution}"), other) for other in existing if other.id != lesson.id
    )
    alike = sorted(((share, other) for share, other in shares if share >= ALIKE), key=lambda each: -each[0])
    for share, other in alike:
        there = _moments(other)  # without patterns it may act at any moment
        if not (here and there) or not here.isdisjoint(there) or examples.fire_together(lesson, other):
            same = f"problem and solution say nearly the same as {other.slug} ({share:.0%} of the words)"
            yield f"{same}: edit that lesson instead, or say what is different."
            return


def _moments(lesson: Lesson) -> set[tuple[str, str]]:
    found = {(field.name, pattern) for field, patterns in patterns_in(lesson.triggers, FIRING) for pattern in patterns}
    return found | {("sessionStart", "")} if lesson.triggers.session_start else found


def hash_of(lesson: Lesson) -> str:
    triggers = document_from_lesson(lesson)["triggers"]
    assert isinstance(triggers, dict)
    return content_hash(lesson.problem, lesson.solution, triggers)


def check_new(record: dict[str, object], known: list[Lesson], typed: Collection[str] = ()) -> Intake:
    """Returns problems and warnings of a complete record; stores nothing."""
    found = check_record(record, known, typed)
    if any(sentence.startswith("contentHash") for sentence in found.problems):
        return found  # an exact duplicate need not be reported as a near one too
    lesson = lesson_from_document(record)
    # Of two short texts at different calls, such as "Use pnpm", both are meant.
    same = () if "solution" in typed else same_text_problems(lesson, known)
    near = list(same) or list(near_duplicate_problems(lesson, known))
    return found._replace(problems=[*found.problems, *near])


def check_record(record: dict[str, object], known: list[Lesson], typed: Collection[str] = ()) -> Intake:
    """Returns the same without near duplicates."""
    lesson = lesson_from_document(record)
    found = check(lesson, known, typed)
    if found.problems:
        return found
    published = entry_of(lesson, find_danger)
    # A dangerous pattern is stored with a warning: it must not be tried on the examples.
    wrong = [] if published.left_out else examples.failures(lesson, published.entry)
    return Intake(wrong, found.warnings + warnings_about(published.entry))


def normalise(
    document: dict[str, object], taken: Collection[str] = (), now: datetime | None = None
) -> dict[str, object]:
    """Returns the complete record, in the order of the file; keeps unknown fields."""
    filled = {key: value for key, value in anchored(document).items() if value is not None or key not in _KEYS}
    for field in TEXTS:
        text = filled.setdefault(field, "")
        filled[field] = text.strip() if isinstance(text, str) else text
    stamp = f"{(now or datetime.now(UTC)).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    made = {"id": new_id(), "slug": slug_for(str(filled["summary"]), taken)}
    filled |= {name: value for name, value in made.items() if filled.get(name, "") == ""}
    filled = {"createdAt": stamp, "updatedAt": stamp, "priority": 5, "confidence": 0.8} | filled
    lesson = lesson_from_document(filled)
    complete = _with_unknown(document_from_lesson(lesson), filled)
    if "needsReview" not in filled or lesson.confidence < REVIEW_BELOW_CONFIDENCE:
        complete["needsReview"] = lesson.confidence < REVIEW_BELOW_CONFIDENCE
    complete["contentHash"] = hash_of(lesson)
    return complete


def _with_unknown(complete: dict[str, object], given: dict[str, object]) -> dict[str, object]:
    for key, value in given.items():
        known = complete.setdefault(key, value)
        pairs = zip(known, value, strict=True) if isinstance(known, list) and isinstance(value, list) else ()
        for inner, own in [(known, value), *pairs]:
            if isinstance(inner, dict) and isinstance(own, dict):
                _with_unknown(inner, own)
    return complete
