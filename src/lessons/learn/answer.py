"""Reads answers: lenient about what models naturally write, one reason for what cannot be used."""

import re
from collections.abc import Iterator
from typing import get_args

import msgspec

from lessons.model import MatchOn, ScopeType, Triggers, When, shown

_MOST_LESSONS = 5
_FENCE = re.compile(r"^[^\S\n]*```[a-z]*[^\S\n]*$", re.MULTILINE)
_LISTS = tuple(
    name for name, kind in Triggers.__annotations__.items() if name not in ("match_on", "when", "session_start")
)


class Draft(msgspec.Struct, frozen=True):
    """A lesson as somebody wrote it, not yet tested."""

    summary: str
    problem: str
    solution: str
    triggers: Triggers
    scope: ScopeType


class Answer(msgspec.Struct, frozen=True):
    """The answer to a dossier: lessons, none of them, or why it cannot be read."""

    id: str
    lessons: list[Draft] = []
    reason: str = ""  # why there is nothing to learn
    fault: str = ""


def answers_in(text: str) -> list[Answer]:
    """Returns the last answer to each dossier, in the order of the text; skips empty lines and prose without JSON."""
    found: dict[str, Answer] = {}
    for place, document in _documents(text):
        answer = _answer(document, place)
        if answer is not None:
            found[answer.id] = answer
    return list(found.values())


def _documents(text: str) -> Iterator[tuple[str, object]]:
    """Yields every JSON value of a text with its place: one a line, one over several lines, the members of a list."""
    text = _FENCE.sub("", text.lstrip("\ufeff"))
    each = [(number, line, _decoded(line)) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if any(value is None for _, _, value in each) and (whole := _decoded(text)) is not None:
        each = [(1, text, whole)]
    for number, line, value in each:
        if isinstance(value, dict) and isinstance(value.get("answers"), list):
            value = value["answers"]
        if isinstance(value, list):
            yield from ((f"line {number}, item {place}", item) for place, item in enumerate(value, start=1))
        elif value is not None or line.lstrip()[:1] in ("{", "["):
            yield f"line {number}", value


def _decoded(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _answer(document: object, place: str) -> Answer | None:
    """Returns None for the line of instructions or a dossier, which a model may repeat, or a person give by mistake."""
    if not isinstance(document, dict):
        return Answer(place, fault="It is not a JSON object: write one answer a line.")
    if ("instructions" in document and "id" not in document) or ("calls" in document and "lesson" not in document):
        return None
    name = document.get("id")
    if not isinstance(name, str) or not name:
        return Answer(place, fault="It has no id: copy that of the dossier.")
    if "lesson" not in document:
        return Answer(name, fault="It has no lesson: write null where there is nothing to learn.")
    given = document["lesson"]
    reason = document.get("reason")
    drafts = [_draft(each) for each in (given if isinstance(given, list) else [given]) if each]
    faults = [each for each in drafts if isinstance(each, str)]
    if faults or len(drafts) > _MOST_LESSONS:
        return Answer(name, fault=faults[0] if faults else f"It has more than {_MOST_LESSONS} lessons: write fewer.")
    lessons = [each for each in drafts if isinstance(each, Draft)]
    return Answer(name, lessons, reason if isinstance(reason, str) else "")


def _draft(given: object) -> Draft | str:
    if not isinstance(given, dict):
        return f"lesson is {shown(given)}: write an object with summary, problem, solution, triggers and scope."
    texts = {name: " ".join(_text(given.get(name)).split()) for name in ("summary", "problem", "solution")}
    if not texts["solution"]:
        return "lesson has no solution: say what works instead."
    texts["summary"] = texts["summary"] or texts["solution"]
    texts["problem"] = texts["problem"] or texts["summary"]
    triggers = given.get("triggers")
    made = _triggers(triggers if isinstance(triggers, dict) else given)
    if isinstance(made, str):
        return made
    return Draft(**texts, triggers=made, scope=_scope(given.get("scope")))


def _triggers(given: dict[str, object]) -> Triggers | str:
    keys = {_snake(key): value for key, value in given.items() if isinstance(key, str)}
    lists = {name: _texts(keys.get(name)) for name in _LISTS}
    match_on = keys.get("match_on")
    when = keys.get("when")
    try:
        return Triggers(
            **lists,
            match_on=match_on if match_on in get_args(MatchOn) else None,  # type: ignore[arg-type]
            when=_when(when) if isinstance(when, dict) else None,
            session_start=keys.get("session_start") is True,
        )
    except (msgspec.MsgspecError, TypeError) as fault:
        return f"triggers cannot be read: {str(fault)[:200]}."


def _when(given: dict[str, object]) -> When | None:
    known = {name: _texts(given.get(name)) for name in When.__struct_fields__}
    return When(**known) if any(known.values()) else None


def _scope(given: object) -> ScopeType:
    kind = given.get("type") if isinstance(given, dict) else given
    kinds: tuple[ScopeType, ...] = get_args(ScopeType)
    return next((each for each in kinds if each == kind), "project")  # an unknown one is the narrowest


def _texts(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str) and each.strip()]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", lambda found: "_" + found[1].lower(), name)
