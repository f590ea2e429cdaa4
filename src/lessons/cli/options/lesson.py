"""The options that describe a lesson; `add`, `edit`, `promote` and `backtest` share them."""

import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from lessons.errors import NotFound, Refused
from lessons.lesson_fields import FIELDS, LessonField, put

Function = TypeVar("Function", bound=Callable[..., object])

_TYPES: dict[str, Any] = {"integer": int, "number": float}


def lesson_options(function: Function) -> Function:
    """Adds an option for every field of a lesson."""
    return options_for(FIELDS)(function)


def options_for(fields: Iterable[LessonField]) -> Callable[[Function], Function]:
    """Returns a decorator that adds options for these fields, in their order."""

    def decorated(function: Function) -> Function:
        for field in reversed(tuple(fields)):
            function = _option(field)(function)
        return function

    return decorated


def _option(field: LessonField) -> Callable[[Function], Function]:
    settings: dict[str, Any] = {"help": field.help}
    flag = field.option
    if field.kind in ("switch", "machine"):
        flag = f"{flag}/--no-{flag.removeprefix('--')}"
        settings["default"] = None
    elif field.kind == "choice":
        settings["type"] = click.Choice(field.choices)
    elif field.is_list:
        settings["multiple"] = True
    elif field.kind in _TYPES:
        settings["type"] = _TYPES[field.kind]
    return click.option(flag, _parameter(field), **settings)


def _parameter(field: LessonField) -> str:
    return "lesson_" + field.option.removeprefix("--").replace("-", "_")


def document_from_options(values: dict[str, object]) -> dict[str, object]:
    """Returns the part of a record that the given options set."""
    document: dict[str, object] = {}
    for field in FIELDS:
        value = values.get(_parameter(field))
        if value is None or value == ():
            continue
        if field.kind == "project":
            value = {"type": "project", "path": os.path.abspath(os.path.expanduser(str(value)))}
        elif field.kind == "machine":
            value = {"type": "machine" if value else "global"}
        put(document, field.place, list(value) if isinstance(value, tuple) else value)
    return document


def documents_from(source: str) -> list[dict[str, object]]:
    """Returns the records of a file, or of stdin for `-`: one, a list, or a whole lessons.json."""
    name = "Standard input" if source == "-" else source
    value = _parsed(_text_of(source, name), name)
    if isinstance(value, dict) and isinstance(value.get("lessons"), list):
        value = value["lessons"]
    records: list[Any] = value if isinstance(value, list) else [value]
    if not records or not all(isinstance(record, dict) for record in records):
        raise Refused(f"{name} has no lesson: give one record, a list of records, or a lessons.json.")
    return records


def _text_of(source: str, name: str) -> str:
    try:
        if source == "-":
            content = sys.stdin.buffer.read() if sys.stdin else b""
        else:
            with open(source, "rb") as file:
                content = file.read()
        return content.decode("utf-8-sig")
    except FileNotFoundError:
        raise NotFound(f"No file {source}: give a JSON file, or - for standard input.") from None
    except UnicodeDecodeError:
        raise Refused(f"{name} is not UTF-8 text: save it as UTF-8.") from None


def _parsed(text: str, name: str) -> object:
    """Returns the JSON value; rejects a number that could not be written back (NaN, 1e999)."""
    try:
        value: object = json.loads(text)
        json.dumps(value, allow_nan=False)
        return value
    except json.JSONDecodeError as fault:
        reason = f"line {fault.lineno}, column {fault.colno}: {fault.msg}"
    except RecursionError:
        reason = "nested too deeply"
    except ValueError:
        reason = "a number in it is out of range"
    raise Refused(f"{name} is not JSON ({reason}): fix it.")
