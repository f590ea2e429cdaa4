"""Options and argument types that several verbs share."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lessons import paths
from lessons.cli.boundary import command_at
from lessons.errors import LessonsError, NotFound, Refused
from lessons.lesson_fields import FIELDS, LessonField, put
from lessons.match.call import is_of_windows

if TYPE_CHECKING:
    from lessons.promote.team import TeamLesson


Function = TypeVar("Function", bound=Callable[..., object])


class Noun(click.Group):
    """A verb with sub-verbs; some of them are in other files, which are imported when they are called."""

    elsewhere: Mapping[str, str] = {}  # sub-verb -> `module:function`

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted({*super().list_commands(context), *self.elsewhere})

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        return command_at(self.elsewhere[name]) if name in self.elsewhere else super().get_command(context, name)


def noun(
    name: str, short_help: str, elsewhere: Mapping[str, str] | None = None, cls: type[Noun] = Noun
) -> Callable[[Callable[..., int | None]], Noun]:
    """Returns a decorator that makes a noun of what the verb does without a sub-verb."""

    def decorated(function: Callable[..., int | None]) -> Noun:
        @wraps(function)
        def called(**values: object) -> int | None:
            sub_verb = click.get_current_context().invoked_subcommand
            if sub_verb is None:
                return function(**values)
            if any(values.values()):
                raise click.UsageError(f"Write the options after {sub_verb}.")
            return None

        made = click.group(name, cls=cls, short_help=short_help, invoke_without_command=True)(called)
        made.elsewhere = elsewhere or {}
        return made

    return decorated


_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_LONGEST_DURATION = 520 * _SECONDS["w"]


class Duration(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    name = "duration"

    def convert(self, value: object, parameter: click.Parameter | None, context: click.Context | None) -> float:
        if isinstance(value, int | float):
            return float(value)
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhdw])", str(value).strip())
        if not found or float(found[1]) == 0:
            self.fail(
                f"{value!r} is not a duration: write a number and s, m, h, d or w, such as 2h.", parameter, context
            )
        seconds = float(found[1]) * _SECONDS[found[2]]
        if seconds > _LONGEST_DURATION:
            self.fail(f"{value!r} is longer than ten years: give less.", parameter, context)
        return seconds


class Moment(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """Reads a date without a time zone as local time."""

    name = "moment"

    def convert(self, value: object, parameter: click.Parameter | None, context: click.Context | None) -> str:
        text = str(value).strip()
        try:
            if re.fullmatch(r"[\d.]+\s*[a-z]", text):
                moment = datetime.now(UTC) - timedelta(seconds=Duration().convert(text, parameter, context))
            else:
                moment = datetime.fromisoformat(text).astimezone(UTC)
        except (ValueError, OverflowError, OSError):
            self.fail(
                f"{value!r} is not a date: write one such as 2026-09-01 or 2026-09-01T14:30, or how long ago: 7d.",
                parameter,
                context,
            )
        return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


whose_transcripts = click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="AGENT",
    help="Read the transcripts of this agent (repeatable).  [default: all]",
)
cwd_option = click.option("--cwd", metavar="DIR", help="The folder of the project.  [default: this one]")


def complete_project(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Returns the projects of the history whose path, or its last part, starts like this."""
    from lessons.store.history.history import History

    try:
        with History.for_reading(paths.data_home()) as history:
            found = history.sessions.projects()
    except LessonsError:
        return []
    return [each for each in found if each.startswith(incomplete) or os.path.basename(each).startswith(incomplete)]


project_option = click.option(
    "--project", metavar="P", shell_complete=complete_project, help="Only this project: its path, or a part of it."
)


def folder_of(cwd: str | None) -> str:
    """Returns the folder in which to look for the project."""
    return os.path.abspath(cwd) if cwd else os.getcwd()


def written_folder(project: str) -> str:
    """Returns the absolute path if written as a folder; otherwise empty: it is a part of a path."""
    if is_of_windows(project):
        return project
    if project in (".", "..", "~") or project.startswith(("/", "./", "../", "~/")):
        return os.path.abspath(os.path.expanduser(project))
    return ""


def complete_slug(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    from lessons.store import lesson_file

    try:
        lessons = lesson_file.read(paths.data_home()).lessons()
    except LessonsError:
        return []
    return [lesson.slug for lesson in lessons if lesson.slug.startswith(incomplete)]


def slug_argument(function: Function) -> Function:
    return click.argument("slug", metavar="SLUG", shell_complete=complete_slug)(function)


@contextmanager
def naming_own_lesson(home: str, name: str) -> Iterator[None]:
    """Refuses to change a lesson of a trusted project, and says where to edit it."""
    try:
        yield
    except NotFound:
        if found := of_project(home, name):
            remedy = f"edit it there and run `lessons trust {found.root}`, or silence it with `lessons mute {name}`"
            raise Refused(f"{name} belongs to a project ({found.path}): {remedy}.") from None
        raise


def of_project(home: str, name: str) -> "TeamLesson | None":
    """Returns the lesson of a trusted project with this slug."""
    from lessons.promote.team import acting
    from lessons.store import lesson_file

    return next((each for each in acting(home, lesson_file.read(home)).lessons if each.lesson.slug == name), None)


def known_lesson(home: str, name: str) -> dict[str, object]:
    """Returns the lesson in lessons.json, or in a manifest that another system wrote."""
    from lessons.store import lesson_file, manifest

    try:
        return lesson_file.read(home).find(name)
    except NotFound:
        try:
            _, entries = manifest.read(home)
        except manifest.UnusableManifest:
            entries = {}
        for entry in entries.values():
            if entry.get("slug") == name:
                return entry
        raise


def complete_candidate(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Returns the fingerprints of the list that was shown last."""
    from lessons.store import review_notes

    try:
        shown = review_notes.read_listing(paths.data_home())
    except LessonsError:
        return []
    entries = shown.entries if shown else []
    return [each.fingerprint for each in entries if each.fingerprint.startswith(incomplete)]


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
