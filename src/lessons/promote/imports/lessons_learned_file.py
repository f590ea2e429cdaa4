"""Reads a lessons.json or a manifest of joeblackwaslike/lessons-learned."""

import json

from lessons.errors import Refused
from lessons.promote.imports.draft import MOST_DRAFTS, Draft, short_name, text_of
from lessons.promote.imports.lessons_learned import draft_of


def drafts(path: str) -> list[Draft]:
    """Returns drafts in the order of the file."""
    found = []
    for place, record in _records(path):
        if isinstance(record, dict):
            found.append(draft_of(record, place))
        else:
            found.append(Draft(place, place, refusal=f"it is {short_name(json.dumps(record))} and not a record."))
    return found


def _records(path: str) -> list[tuple[str, object]]:
    try:
        document: object = json.loads(text_of(path))
    except json.JSONDecodeError as fault:
        reason = f"line {fault.lineno}, column {fault.colno}: {fault.msg}"
        raise Refused(f"{path} is not JSON ({reason}): fix it.") from None
    except (RecursionError, ValueError):
        raise Refused(f"{path} is not JSON that can be read.") from None
    lessons = document.get("lessons") if isinstance(document, dict) else document
    if isinstance(lessons, dict):
        found = [(f"lesson {short_name(key)}", record) for key, record in lessons.items()]
    elif isinstance(lessons, list):
        found = [(f"lesson {number}", record) for number, record in enumerate(lessons, start=1)]
    else:
        raise Refused(f"{path} holds no lessons: give a lessons.json or a manifest.")
    if len(found) > MOST_DRAFTS:
        raise Refused(f"{path} holds {len(found):,} lessons, and at most {MOST_DRAFTS:,} are taken: split it.")
    return found
