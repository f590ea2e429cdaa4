"""Problems and warnings about the triggers of a lesson."""

import re
import warnings
from collections.abc import Iterator

from lessons.lesson_fields import BEFORE_A_CALL, FIRING, PATTERNS, has_any, patterns_in
from lessons.match.dialect import to_python
from lessons.match.glob import glob_to_regex
from lessons.model import Lesson, Triggers, shown
from lessons.promote.publish.entry import condition_faults
from lessons.promote.publish.slow import find_danger

PROTOCOL_NAMES = frozenset(
    {
        "what_went_wrong",
        "tool_name",
        "the_correction",
        "the_fix",
        "what_fixed_it",
        "root_cause",
        "command_or_action",
        "category_value_tags",
        "one_line_summary",
    }
)

# The words of the protocol's template, for texts from which only the brackets were removed.
_TEMPLATE = frozenset({"tool name", "how the command or path begins", "what went wrong and why", "what works instead"})

_BRACKETED = re.compile(r"<([^<>\n]{1,60})>|\{\{([^{}\n]{1,60})\}\}")
_CODE = re.compile(r"`[^`]*`")
_BRACES = re.compile(r"(?<!\$)\{\{\s*[A-Za-z][A-Za-z_ -]*\}\}")
_INSTRUCTION = re.compile(
    r"\[(?:TODO|FIXME|TBD)\b[^\[\]]*\](?!\()"
    r"|\[(?:describe|insert|explain|fill in|write|enter|your)\s[^\[\]]+\](?!\()",
    re.IGNORECASE,
)
_ANGLES = re.compile(r"<[a-z][a-z0-9]*(?:[_ -][a-z0-9]+)*>")


def find_placeholder(text: str) -> str | None:
    """Returns the first placeholder in a text: of the protocol's template, or by the rule of prose.

    `{{words}}` and instructions such as `[describe the error]` or `[TODO]` count outside backticks; inside them they
    are code, like `${{ github.ref }}` and `{{.Names}}`.
    """
    prose = _CODE.sub("", text)
    unfilled = _BRACES.search(prose) or _INSTRUCTION.search(prose)
    return find_template(text) or (unfilled[0] if unfilled else None)


def find_template(text: str) -> str | None:
    """Returns the first template word that nobody filled in, by three rules; patterns must follow them too.

    The words of the protocol's template count if they are the whole text.
    A name of the lesson protocol counts anywhere: `<what_went_wrong>`, `{{the correction}}`.
    `<lower case words>` count if they are more than half of the text: `git switch <branch>` is not a template.
    """
    if " ".join(re.findall(r"\w+", text.lower())) in _TEMPLATE:
        return text.strip()
    for bracketed in _BRACKETED.finditer(text):
        name = "_".join(re.findall(r"[a-z]+", "".join(bracketed.groups("")).lower()))
        if name in PROTOCOL_NAMES:
            return bracketed[0]
    angles: list[str] = _ANGLES.findall(text)
    return angles[0] if 2 * sum(map(len, angles)) > len(text.strip()) else None


# `ping`, `string` and `king` have no vowel before the ending: they are not verbs in their -ing form.
_GERUND = re.compile(r"[a-z]*[aeiou][a-z]*ing")
# Words only: anything with a leading hyphen is a flag, and a description has none.
_WORDS = re.compile(r"[A-Za-z][a-z']*[,:]?(?: [`'\"]?[A-Za-z0-9/.][\w'./-]*[`'\"]?[,:;]?)*\.?")
# Programs with this ending that are run with words after them.
_PROGRAMS = frozenset({"arping", "hyping", "oping", "noping"})
_ANCHORS = re.compile(r"^(?:\^|\(\?i\))+|\\b|\$$")


def is_prose(pattern: str) -> bool:
    """Whether it is a description: `running the tests` says what somebody does; `pytest -q` is a real command."""
    plain = re.sub(r"\\s[+*]?|\s+", " ", _ANCHORS.sub("", pattern.strip()))
    if not _WORDS.fullmatch(plain):
        return False
    first = plain.split(" ")[0].lower()
    return bool(_GERUND.fullmatch(first)) and first not in _PROGRAMS


_FIELD = "commandPatterns"
# Begins and ends like a word; an option such as --force is not one, and few other texts contain it.
_BARE_WORD = re.compile(r"\w|\w[\w-]*\w", re.ASCII)


def anchored(document: dict[str, object]) -> dict[str, object]:
    """Returns the record with each bare word among its command patterns as a whole word."""
    triggers = document.get("triggers")
    patterns = triggers.get(_FIELD) if isinstance(triggers, dict) else None
    if not isinstance(triggers, dict) or not isinstance(patterns, list) or not any(map(_is_bare, patterns)):
        return document
    return {**document, "triggers": {**triggers, _FIELD: [_anchored(pattern) for pattern in patterns]}}


def bare_word_warnings(document: dict[str, object]) -> Iterator[str]:
    """Yields one sentence for each pattern of a record that is stored differently."""
    triggers = document.get("triggers")
    patterns = triggers.get(_FIELD) if isinstance(triggers, dict) else None
    for pattern in filter(_is_bare, patterns if isinstance(patterns, list) else []):
        stored = f"The command pattern '{pattern}' is a bare word and is stored as '{_anchored(pattern)}'."
        if isinstance(triggers, dict) and triggers.get("matchOn") == "invocation":
            yield stored  # it matches at the start of a command only
        else:
            yield f"{stored} To match the program alone, use '^{pattern}\\b' with --match-on invocation."


def _anchored(pattern: object) -> object:
    return rf"\b{pattern}\b" if _is_bare(pattern) else pattern


def _is_bare(pattern: object) -> bool:
    return isinstance(pattern, str) and _BARE_WORD.fullmatch(pattern) is not None


# File contents and errors may be prose; a call is not.
_AT_A_CALL = ("toolNames", "commandPatterns", "pathPatterns")


def trigger_problems(triggers: Triggers) -> Iterator[str]:
    """Yields one sentence for each rule that the triggers break."""
    regexes, globs = _patterns(triggers, "regexes"), _patterns(triggers, "globs")
    if not triggers.session_start and not triggers.tool_names and not has_any(triggers, FIRING):
        yield "triggers is empty: give at least one tool name or pattern, or set sessionStart to true."
    for field, values in {"toolNames": triggers.tool_names, **globs, **regexes}.items():
        for value in values:
            if not value.strip():
                yield f"triggers.{field} has {shown(value)}, which is empty: fill it in or remove it."
            elif field in regexes and (reason := _regex_fault(value)):
                yield f"triggers.{field} has {shown(value)}, which is not a valid regex: {reason}; fix it."
            elif field in globs and (reason := _glob_fault(value)):
                yield f"triggers.{field} has {shown(value)}, which is not a valid glob: {reason}."
            elif template := find_template(value) if field in _AT_A_CALL else None:
                yield f"triggers.{field} has the placeholder {template}: write the text of a real call."
            elif field in _AT_A_CALL and is_prose(value):
                yield f"triggers.{field} has {shown(value)}, a description: write a pattern for the command or path."
    yield from condition_faults(triggers)


def trigger_warnings(lesson: Lesson) -> Iterator[str]:
    """Yields one sentence for each pattern or combination that is allowed but probably a mistake."""
    for field, patterns in _patterns(lesson.triggers, "regexes").items():
        for pattern in patterns:
            if not pattern.strip() or _regex_fault(pattern):
                continue
            named = f"triggers.{field} has {shown(pattern)}"
            if danger := find_danger(*to_python(pattern)):
                slow = f"which can be very slow ({danger.rstrip('.')})"
                yield f"{named}, {slow}: simplify it, or the build leaves it out."
            elif _compiled(pattern).search(""):
                yield f"{named}, which matches any text, even none: make it more specific."
    effect = "block" if lesson.block else "stopOnce" if lesson.stop_once else ""
    triggers = lesson.triggers
    if not effect or has_any(triggers, BEFORE_A_CALL):
        return
    if has_any(triggers, FIRING) or not triggers.tool_names:
        yield f"{effect} is true, but no trigger matches before a call runs: add a pattern for the call."
    else:
        tools = ", ".join(triggers.tool_names)
        yield f"{effect} is true with toolNames alone and stops any use of {tools}: add a pattern."


def _patterns(triggers: Triggers, kind: str) -> dict[str, list[str]]:
    found = patterns_in(triggers, (field for field in PATTERNS if field.kind == kind))
    return {field.place.removeprefix("triggers."): patterns for field, patterns in found}


def _regex_fault(pattern: str) -> str | None:
    try:
        _compiled(pattern)
    except (ValueError, re.error, OverflowError, RecursionError) as error:
        return str(error) or type(error).__name__
    return None


def _glob_fault(pattern: str) -> str | None:
    try:
        glob_to_regex(pattern)
    except ValueError as error:
        return str(error)
    return None


def _compiled(pattern: str) -> re.Pattern[str]:
    source, flags = to_python(pattern)
    with warnings.catch_warnings():
        # A character set that a later Python may read differently still has today's meaning.
        warnings.simplefilter("ignore")
        return re.compile(source, flags)
