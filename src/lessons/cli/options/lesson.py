"""The flags that describe a lesson in, the document they stand for out; `add`, `edit` and `promote` share them."""

import json
import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from lessons.errors import NotFound, Refused

Function = TypeVar("Function", bound=Callable[..., object])

# flag -> (where it goes in the record, what click needs to know of it)
_OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "--summary": ("summary", {"help": "One line, 20 to 120 characters."}),
    "--problem": ("problem", {"help": "What goes wrong, and why."}),
    "--solution": ("solution", {"help": "What works instead, concretely."}),
    "--command-pattern": ("triggers.commandPatterns", {"multiple": True, "help": "Regex on a shell command."}),
    "--path-pattern": ("triggers.pathPatterns", {"multiple": True, "help": "Glob on a path, such as 'src/**/*.py'."}),
    "--content-pattern": ("triggers.contentPatterns", {"multiple": True, "help": "Regex on what would be written."}),
    "--error-pattern": ("triggers.errorPatterns", {"multiple": True, "help": "Regex on the error of a failed call."}),
    "--unless": ("triggers.unless", {"multiple": True, "help": "Regex that keeps the lesson silent."}),
    "--tool": ("triggers.toolNames", {"multiple": True, "help": "Only for this tool, such as Bash."}),
    "--match-on": (
        "triggers.matchOn",
        {
            "type": click.Choice(("command", "invocation")),
            "help": "The whole line, or each simple command from its start.",
        },
    ),
    "--os": ("triggers.when.os", {"multiple": True, "help": "Only on linux, macos or windows."}),
    "--shell": ("triggers.when.shell", {"multiple": True, "help": "Only in this shell, such as zsh."}),
    "--model": ("triggers.when.models", {"multiple": True, "help": "Only for models with this in their name."}),
    "--session-start/--no-session-start": (
        "triggers.sessionStart",
        {"default": None, "help": "Show it when a session starts, not at a call."},
    ),
    "--stop-once/--no-stop-once": ("stopOnce", {"default": None, "help": "Stop the first such call of a session."}),
    "--block/--no-block": ("block", {"default": None, "help": "Deny every such call; needs --block-reason."}),
    "--block-reason": ("blockReason", {"help": "What the agent reads; {command} stands for the command."}),
    "--injection": ("injection", {"help": "The words to show, instead of summary, problem and solution."}),
    "--stage": (
        "stage",
        {"type": click.Choice(("shadow", "active", "retired")), "help": "shadow: log matches, show nothing."},
    ),
    "--priority": ("priority", {"type": int, "help": "1 to 10; the higher is shown first."}),
    "--confidence": ("confidence", {"type": float, "help": "0 to 1; below 0.7 it waits for a review."}),
    "--tag": ("tags", {"multiple": True, "help": "category:value, such as tool:git."}),
    "--project": ("scope", {"help": "Only in this folder and below."}),
    "--fires": ("examples.fires", {"multiple": True, "help": "A command it must fire on."}),
    "--quiet-on": ("examples.quiet", {"multiple": True, "help": "A command it must leave alone."}),
}


def lesson_options(function: Function) -> Function:
    return lesson_options_but()(function)


def lesson_options_but(*places: str) -> Callable[[Function], Function]:
    """All but those that go to these places of the record."""

    def decorated(function: Function) -> Function:
        for flag, (place, settings) in reversed(_OPTIONS.items()):
            if place not in places:
                function = click.option(flag, _name(flag), **settings)(function)
        return function

    return decorated


def options_named(*flags: str) -> Callable[[Function], Function]:
    """Some of the flags, for a verb that needs no more."""

    def decorated(function: Function) -> Function:
        for flag in reversed(flags):
            function = click.option(flag, _name(flag), **_OPTIONS[flag][1])(function)
        return function

    return decorated


def _name(flag: str) -> str:
    return "lesson_" + flag.partition("/")[0].removeprefix("--").replace("-", "_")


def document_from_options(values: dict[str, object]) -> dict[str, object]:
    """The part of a record that the given flags say."""
    document: dict[str, object] = {}
    for flag, (place, _) in _OPTIONS.items():
        value = values.get(_name(flag))
        if value is None or value == ():
            continue
        if flag == "--project":
            value = {"type": "project", "path": os.path.abspath(os.path.expanduser(str(value)))}
        _put(document, place, list(value) if isinstance(value, tuple) else value)
    return document


def _put(document: dict[str, object], place: str, value: object) -> None:
    *groups, name = place.split(".")
    for group in groups:
        inner = document.setdefault(group, {})
        assert isinstance(inner, dict)
        document = inner
    document[name] = value


def documents_from(source: str) -> list[dict[str, object]]:
    """The records in a file, or on stdin for `-`: one, a list, or a whole lessons.json."""
    name = "Standard input" if source == "-" else source
    value = _parsed(_text_of(source, name), name)
    if isinstance(value, dict) and isinstance(value.get("lessons"), list):
        value = value["lessons"]
    records: list[Any] = value if isinstance(value, list) else [value]
    if not records or not all(isinstance(record, dict) for record in records):
        raise Refused(f"{name} holds no lesson: give one record, a list of them, or a lessons.json.")
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
        raise NotFound(f"There is no file {source}: give a JSON file, or - for standard input.") from None
    except UnicodeDecodeError:
        raise Refused(f"{name} is not UTF-8 text: save it as UTF-8.") from None


def _parsed(text: str, name: str) -> object:
    """The JSON value; a number that could not be written back (NaN, 1e999) is no JSON."""
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
    raise Refused(f"{name} is not JSON ({reason}): correct it.")
