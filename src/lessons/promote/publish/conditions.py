"""Checks conditions on the state of the machine, and makes the regex of a folder glob."""

import re

from lessons.lesson_fields import STATE, patterns_in
from lessons.match.dialect import to_python
from lessons.match.glob import glob_to_regex
from lessons.match.placeholders import OF_EVERY_CALL, names_in
from lessons.model import Lesson, Triggers, shown, unknown_conditions

_ROOT_ITSELF = r"\A/\Z"


def condition_faults(triggers: Triggers) -> list[str]:
    """Returns one sentence for each condition that can never be decided: the lesson must stay silent."""
    if triggers.when is None:
        return []
    found = [
        f"triggers.when.{key} is an unknown condition, so the lesson stays silent: fix its name or remove it."
        for key in unknown_conditions(triggers)
    ]
    names = {*OF_EVERY_CALL, *_groups(triggers)}
    for field, values in patterns_in(triggers, STATE):
        for value in values if field.kind == "texts" else ():
            unknown = [name for name in names_in(value) if name not in names]
            if not value.strip():
                found.append(f"{field.place} has {shown(value)}, which is empty: fill it in or remove it.")
            elif unknown:
                known = "use {root}, {above}, {folder} or a group, such as {1}"
                found.append(f"{field.place} has {{{unknown[0]}}}, a group of no pattern of the lesson: {known}.")
            elif field.name == "missing" and (len(value.split()) > 1 or "/" in value):
                found.append(f"{field.place} has {shown(value)}: write the name of one program.")
    return found


def state_warnings(lesson: Lesson) -> list[str]:
    """Returns how a lesson with such conditions differs from what its writer may expect."""
    effect = "block" if lesson.block else "stopOnce" if lesson.stop_once else ""
    if effect and lesson.triggers.when and lesson.triggers.when.missing:
        return [f"{effect} is true, but a lesson with when.missing only hints: aliases and functions are on no PATH."]
    return []


def folder_regex(pattern: str) -> str:
    """Returns the regex for a folder as `/web/src` from the project root on; the root itself is `/`."""
    inner = pattern.replace("\\", "/").removeprefix("./").strip("/")
    if not pattern.strip():
        return ""
    return _ROOT_ITSELF if inner in ("", ".") else glob_to_regex(f"/{inner}")


def _groups(triggers: Triggers) -> set[str]:
    """Returns the names and numbers of all groups of the patterns that may provide them."""
    found: set[str] = set()
    for pattern in (*triggers.command_patterns, *triggers.error_patterns):
        try:
            compiled = re.compile(*to_python(pattern))
        except (ValueError, re.error, RecursionError, OverflowError):
            continue  # reported as a pattern
        found |= {str(number) for number in range(1, compiled.groups + 1)} | set(compiled.groupindex)
    return found
