"""What several verbs share: options, argument types, completion, nouns with sub-verbs, and the data home."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lessons import json_document, paths
from lessons.cli.boundary import command_at
from lessons.errors import LessonsError, NotFound, Refused
from lessons.lesson_fields import FIELDS, LessonField, put
from lessons.match.call import is_of_windows
from lessons.store.files import make_private_folders

if TYPE_CHECKING:
    from lessons.promote.team import TeamLesson

Function = TypeVar("Function", bound=Callable[..., object])

_README = """\
This folder belongs to the command `lessons`.

lessons.json and config.json are yours to edit; after editing run `lessons build` (or start a new session).
Everything else is written by the program. `lessons doctor` checks all of it.
"""


def data_home() -> str:
    """Returns the data home, created with a README; only verbs that write should call this."""
    home = paths.data_home()
    readme = os.path.join(home, "README.txt")
    if not os.path.exists(readme):
        make_private_folders(home)
        with open(os.open(readme, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(_README)
    return home


class Noun(click.Group):
    """A verb with sub-verbs; some of them are in other files, which are imported when they are called."""

    elsewhere: Mapping[str, str] = {}  # sub-verb -> `module:function`
    hidden_verbs: Mapping[str, str] = {}  # the same for spellings that help does not list

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted({*super().list_commands(context), *self.elsewhere})

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        place = self.elsewhere.get(name) or self.hidden_verbs.get(name)
        return command_at(place) if place else super().get_command(context, name)


def noun(
    name: str,
    short_help: str,
    elsewhere: Mapping[str, str] | None = None,
    hidden: Mapping[str, str] | None = None,
    cls: type[Noun] = Noun,
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
        made.elsewhere, made.hidden_verbs = elsewhere or {}, hidden or {}
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
            wrong = f"{value!r} is not a duration: write a number and s, m, h, d or w, such as 2h."
            self.fail(wrong, parameter, context)
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
            hint = "write one such as 2026-09-01 or 2026-09-01T14:30, or how long ago: 7d."
            self.fail(f"{value!r} is not a date: {hint}", parameter, context)
        return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


Completer = Callable[[click.Context, click.Parameter, str], list[str]]


def completer(names: Callable[[str], Iterable[str]], also: Callable[[str], str] = str) -> Completer:
    """Returns a completion of what `names` finds in the data home; `also` gives another beginning of a name."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
        try:
            found = [*names(paths.data_home())]
        except LessonsError:
            return []
        return [each for each in found if each.startswith(incomplete) or also(each).startswith(incomplete)]

    return complete


def _projects(home: str) -> Iterable[str]:
    from lessons.store.history.history import History

    with History.for_reading(home) as history:
        return history.sessions.projects()


def _slugs(home: str) -> Iterable[str]:
    from lessons.store import lesson_file

    return (lesson.slug for lesson in lesson_file.read(home).lessons())


def _candidates(home: str) -> Iterable[str]:
    """Returns the fingerprints of the list that was shown last."""
    from lessons.promote.queue import listings

    return next(iter(listings(home)), ())


complete_project = completer(_projects, os.path.basename)
complete_slug = completer(_slugs)
complete_candidate = completer(_candidates)

whose_transcripts = click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="AGENT",
    help="Read the transcripts of this agent (repeatable).  [default: all]",
)
cwd_option = click.option("--cwd", metavar="DIR", help="The folder of the project.  [default: this one]")
project_option = click.option(
    "--project", metavar="P", shell_complete=complete_project, help="Only this project: its path, or a part of it."
)
tier_option = click.option(
    "--tier", type=click.IntRange(1, 3), help="Only tier 1 (tags), 2 (failures and fixes) or 3 (corrections)."
)
slug_argument = click.argument("slug", metavar="SLUG", shell_complete=complete_slug)


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


def record_of(home: str, name: str) -> dict[str, object]:
    """Returns the record of the user's own lesson, or of a trusted project's."""
    from lessons.store import lesson_file

    try:
        return lesson_file.read(home).find(name)
    except NotFound:
        if (found := of_project(home, name)) is None:
            raise
        return found.record()


def of_project(home: str, name: str) -> "TeamLesson | None":
    """Returns the lesson of a trusted project with this slug."""
    from lessons.promote.team import acting
    from lessons.store import lesson_file

    return next((each for each in acting(home, lesson_file.read(home)).lessons if each.lesson.slug == name), None)


def lesson_options(function: Function) -> Function:
    """Adds an option for every field of a lesson."""
    return options_for(FIELDS)(function)


def options_for(fields: Iterable[LessonField]) -> Callable[[Function], Function]:
    """Returns a decorator that adds options for these fields, in their order."""

    def decorated(function: Function) -> Function:
        for field in reversed(tuple(fields)):
            settings: dict[str, Any] = {"help": field.help}
            flag = field.option
            if field.kind in ("switch", "machine"):
                flag = f"{flag}/--no-{flag.removeprefix('--')}"
                settings["default"] = None
            elif field.kind == "choice":
                settings["type"] = click.Choice(field.choices)
            elif field.is_list:
                settings["multiple"] = True
            elif field.kind in ("integer", "number"):
                settings["type"] = int if field.kind == "integer" else float
            names = (flag, field.also) if field.also else (flag,)
            function = click.option(*names, _parameter(field), **settings)(function)
        return function

    return decorated


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


def content_of(source: str) -> bytes:
    """Returns the content of a file, or of standard input for `-`."""
    if source == "-":
        return sys.stdin.buffer.read() if sys.stdin else b""
    try:
        with open(source, "rb") as file:
            return file.read()
    except OSError as fault:
        raise Refused(f"{source} cannot be read: {fault.strerror}.") from None


def documents_from(source: str) -> list[dict[str, object]]:
    """Returns the records of a file, or of stdin for `-`: one, a list, or a whole lessons.json."""
    name = "Standard input" if source == "-" else source
    try:
        value = json_document.strict(content_of(source).decode("utf-8-sig"))
    except (ValueError, RecursionError) as fault:
        raise Refused(f"{name} is not JSON ({fault}): fix it.") from None
    if isinstance(value, dict) and isinstance(value.get("lessons"), list):
        value = value["lessons"]
    records: list[Any] = value if isinstance(value, list) else [value]
    if not records or not all(isinstance(record, dict) for record in records):
        raise Refused(f"{name} has no lesson: give one record, a list of records, or a lessons.json.")
    return records
