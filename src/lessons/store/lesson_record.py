"""One record of `lessons.json`: as a lesson, as text, and with changes merged into it."""

import copy

from lessons.errors import Refused
from lessons.model import Lesson, lesson_from_document, shown


def lesson_of(record: object) -> Lesson:
    """Returns the typed record; raises Refused if it is not one."""
    if not isinstance(record, dict):
        raise Refused(f"it is {shown(record)}: write an object, such as {{}}, or remove it.")
    return lesson_from_document(record)


def merged(record: dict[str, object], changes: dict[str, object]) -> dict[str, object]:
    """Returns the record with the changes: objects are merged, None removes a key, everything else is set."""
    result = dict(record)
    for key, value in changes.items():
        before = result.get(key)
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(before, dict):
            result[key] = merged(before, value)
        else:
            result[key] = copy.deepcopy(value)
    return result
