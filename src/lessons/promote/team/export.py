"""Exports lessons to the folder `.lessons` of a project, without anything private."""

import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lessons import json_document
from lessons.errors import Refused
from lessons.model import document_from_lesson, lesson_from_document, shown
from lessons.promote.publish.conditions import condition_faults
from lessons.promote.team.team import NOT_SHARED
from lessons.store import atomic, project_folder
from lessons.store.lesson_file import LessonFile

# Takes a text, returns it without secrets; passed in, because secrets belong to another stage.
Redact = Callable[[str], str]
_LEFT_OUT = (*NOT_SHARED, "needsReview")
# Names that examples use for nobody in particular do not count.
_OF_A_PERSON = re.compile(
    r"(?:/home|/Users|[A-Za-z]:[\\/]+Users)[\\/]+(?!(?:me|you|user|username|name|somebody|someone|dev)\b)[A-Za-z0-9][\w.-]*"
)


class Exported(NamedTuple):
    slug: str
    path: str
    content: bytes


def chosen(file: LessonFile, root: str, names: tuple[str, ...]) -> list[dict[str, object]]:
    """Returns the named records, or those for this project."""
    if names:
        found = [file.find(name) for name in dict.fromkeys(names)]
        return list({str(record["slug"]): record for record in found}.values())
    records = []
    for lesson in file.each_lesson():
        if lesson.scope.type == "project" and lesson.scope.path and lesson.stage != "retired":
            place = os.path.realpath(os.path.expanduser(lesson.scope.path))
            if place == root:
                records.append(file.find(lesson.slug))
    return records


def prepared(records: list[dict[str, object]], root: str, redact: Redact) -> list[Exported]:
    """Returns the content of every file; raises Refused with every reason if one must not leave this machine."""
    problems: list[str] = []
    files = []
    for record in records:
        lesson = lesson_from_document(record)
        document = {key: value for key, value in document_from_lesson(lesson).items() if key not in _LEFT_OUT}
        _leave_out_private_examples(document, root)
        private = dict.fromkeys(_private(document, root, redact))
        problems += [f"{lesson.slug}: {sentence}" for sentence in private]
        if lesson.scope.type == "machine":
            problems.append(f"{lesson.slug}: scope.type is machine: it is about this machine and is not exported.")
        problems += [f"{lesson.slug}: {sentence}" for sentence in condition_faults(lesson.triggers)]
        if lesson.needs_review:
            problems.append(f"{lesson.slug}: needsReview is true: share it after a review.")
        if lesson.stage == "retired":
            problems.append(f"{lesson.slug}: stage is retired: `lessons unarchive {lesson.slug}` first.")
        if not project_folder.is_usual_name(f"{lesson.slug}.json"):
            problems.append(f"slug is {shown(lesson.slug)}, which cannot be the name of a file: use a-z, 0-9 and -.")
        path = os.path.join(project_folder.folder_of(root), f"{lesson.slug}.json")
        files.append(Exported(lesson.slug, path, json_document.render(document, json_document.Style()).encode()))
    if problems:
        raise Refused("\n".join(problems))
    return files


def write(files: list[Exported], root: str, force: bool) -> list[tuple[Exported, bool]]:
    """Returns each file and whether it was written; replaces a file with other content only with `force`."""
    folder = project_folder.folder_of(root)
    if os.path.lexists(folder) and (os.path.islink(folder) or not os.path.isdir(folder)):
        raise Refused(f"{folder} is not a regular folder: replace it with one.")
    for each in files:
        if os.path.lexists(each.path):
            there = project_folder.read_file(each.path)
            if os.path.islink(each.path) or not os.path.isfile(each.path):
                raise Refused(f"{each.path} is not a regular file and was not changed: remove it first.")
            if there.content != each.content and not force:
                raise Refused(f"{each.path} has other content and was not changed: add --force to replace it.")
    os.makedirs(folder, exist_ok=True)
    return [(each, atomic.write_bytes(each.path, each.content, 0o644)) for each in files]


def _leave_out_private_examples(document: dict[str, object], root: str) -> None:
    """Removes calls of one machine: the other examples show the same."""
    examples = document.get("examples")
    if isinstance(examples, dict):
        for side, calls in examples.items():
            examples[side] = [call for call in calls if not any(_place(text, root) for _, text in _texts(call))]


def _place(text: str, root: str) -> str:
    """Returns a location of somebody's files that the text reveals, if any."""
    own = next((each for each in (root, os.path.expanduser("~")) if len(each) > 1 and each in text), "")
    found = _OF_A_PERSON.search(text)
    return own or (found[0] if found else "")


def _private(document: dict[str, object], root: str, redact: Redact) -> Iterator[str]:
    """Yields one sentence for each field that would reveal a secret, or the location of somebody's files."""
    for field, text in _texts(document):
        if redact(text) != text:
            yield f"{field} seems to contain a secret: remove it before others read it."
        if place := _place(text, root):
            yield f"{field} has {shown(place)}, a path on one machine: remove it."


def _texts(value: object, field: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, dict):
        for key, member in value.items():
            yield from _texts(member, f"{field}.{key}" if field else str(key))
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member, field)
