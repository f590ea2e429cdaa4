"""The SLUG argument of every verb that names a lesson, with completion."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import click

from lessons import paths
from lessons.errors import LessonsError, NotFound, Refused

if TYPE_CHECKING:
    from lessons.promote.team.team import TeamLesson

Function = TypeVar("Function", bound=Callable[..., object])


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
    from lessons.promote.team.team import acting
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
