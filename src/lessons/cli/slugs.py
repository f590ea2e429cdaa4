"""A half-typed slug in, the lessons it may become out: the argument of every verb that names a lesson."""

from collections.abc import Callable
from typing import TypeVar

import click

from lessons import paths
from lessons.errors import LessonsError, NotFound

Function = TypeVar("Function", bound=Callable[..., object])


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    from lessons.store import lesson_file

    try:
        lessons = lesson_file.read(paths.data_home()).lessons()
    except LessonsError:
        return []
    return [lesson.slug for lesson in lessons if lesson.slug.startswith(incomplete)]


def slug_argument(function: Function) -> Function:
    return click.argument("slug", metavar="SLUG", shell_complete=_complete)(function)


def known_lesson(home: str, name: str) -> dict[str, object]:
    """The lesson of that name in lessons.json, else in a manifest that another system wrote: both act in the hook."""
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
