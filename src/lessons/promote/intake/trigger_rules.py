"""Problems and warnings about the triggers of a lesson."""

import re
import warnings
from collections.abc import Iterator

from lessons.lesson_fields import BEFORE_A_CALL, FIRING, PATTERNS, has_any, patterns_in
from lessons.match.dialect import to_python
from lessons.match.glob import glob_to_regex
from lessons.model import Lesson, Triggers, shown
from lessons.promote.intake.placeholder import find_template
from lessons.promote.intake.prose import is_prose
from lessons.promote.publish.conditions import condition_faults
from lessons.promote.slow_regex.probe import find_danger

# File contents and errors may be prose; a call is not.
_AT_A_CALL = ("toolNames", "commandPatterns", "pathPatterns")


def trigger_problems(triggers: Triggers) -> Iterator[str]:
    """Yields one sentence for each rule that the triggers break."""
    regexes, others = _regexes(triggers), _others(triggers)
    if not triggers.session_start and not triggers.tool_names and not has_any(triggers, FIRING):
        yield "triggers is empty: give at least one tool name or pattern, or set sessionStart to true."
    for field, values in {**others, **regexes}.items():
        for value in values:
            if not value.strip():
                yield f"triggers.{field} has {shown(value)}, which is empty: fill it in or remove it."
            elif field in regexes and (reason := _regex_fault(value)):
                yield f"triggers.{field} has {shown(value)}, which is not a valid regex: {reason}; fix it."
            elif field in ("pathPatterns", "when.folder") and (reason := _glob_fault(value)):
                yield f"triggers.{field} has {shown(value)}, which is not a valid glob: {reason}."
            elif template := find_template(value) if field in _AT_A_CALL else None:
                yield f"triggers.{field} has the placeholder {template}: write the text of a real call."
            elif field in _AT_A_CALL and is_prose(value):
                yield f"triggers.{field} has {shown(value)}, a description: write a pattern for the command or path."
    yield from condition_faults(triggers)


def trigger_warnings(lesson: Lesson) -> Iterator[str]:
    """Yields one sentence for each pattern or combination that is allowed but probably a mistake."""
    for field, patterns in _regexes(lesson.triggers).items():
        for pattern in patterns:
            if not pattern.strip() or _regex_fault(pattern):
                continue
            named = f"triggers.{field} has {shown(pattern)}"
            if danger := _danger(pattern):
                yield f"{named}, which can be very slow ({danger}): simplify it, or the build leaves it out."
            elif _compiled(pattern).search(""):
                yield f"{named}, which matches any text, even none: make it more specific."
    yield from _effect_warnings(lesson)


def _effect_warnings(lesson: Lesson) -> Iterator[str]:
    effect = "block" if lesson.block else "stopOnce" if lesson.stop_once else ""
    triggers = lesson.triggers
    if not effect or has_any(triggers, BEFORE_A_CALL):
        return
    if has_any(triggers, FIRING) or not triggers.tool_names:
        yield f"{effect} is true, but no trigger matches before a call runs: add a pattern for the call."
    else:
        tools = ", ".join(triggers.tool_names)
        yield f"{effect} is true with toolNames alone and stops any use of {tools}: add a pattern."


def _regexes(triggers: Triggers) -> dict[str, list[str]]:
    regexes = (field for field in PATTERNS if field.kind == "regexes")
    return {field.name: patterns for field, patterns in patterns_in(triggers, regexes)}


def _others(triggers: Triggers) -> dict[str, list[str]]:
    globs = (field for field in PATTERNS if field.kind == "globs")
    return {"toolNames": triggers.tool_names} | {
        field.place.removeprefix("triggers."): patterns for field, patterns in patterns_in(triggers, globs)
    }


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


def _danger(pattern: str) -> str | None:
    reason = find_danger(*to_python(pattern))
    return reason.rstrip(".") if reason else None


def _compiled(pattern: str) -> re.Pattern[str]:
    source, flags = to_python(pattern)
    with warnings.catch_warnings():
        # A character set that a later Python may read differently still has today's meaning.
        warnings.simplefilter("ignore")
        return re.compile(source, flags)
