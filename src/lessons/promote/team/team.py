"""Finds the lessons of trusted projects, and why others are not used."""

import hashlib
from typing import NamedTuple

from lessons import json_document
from lessons.errors import LessonsError, NotFound, Refused
from lessons.lesson_fields import PATTERNS, patterns_in
from lessons.model import Lesson, Triggers, document_from_lesson, lesson_from_document
from lessons.promote.intake import intake
from lessons.promote.intake.foreign_text import hidden_problems
from lessons.promote.publish.entry import entry_of
from lessons.store import project_folder, trusted
from lessons.store.lesson_file import LessonFile
from lessons.store.project_folder import ProjectFile
from lessons.store.trusted import Trust

# Fields about one user's sessions, and those that are recomputed wherever the lesson is read.
NOT_SHARED = ("id", "scope", "sourceSessionIds", "occurrenceCount", "createdAt", "updatedAt", "contentHash")
_MOST_PATTERNS = 12
_MOST_SENTENCES = 10


class TeamLesson(NamedTuple):
    root: str
    path: str
    lesson: Lesson

    def record(self) -> dict[str, object]:
        """Returns the record with the file in which to edit it."""
        return {**document_from_lesson(self.lesson), "trustedFrom": self.path}

    def entry(self) -> dict[str, object]:
        """Returns it as published, with untested patterns: only to read the lesson."""
        return {**entry_of(self.lesson).entry, "trustedFrom": self.path}


class Team(NamedTuple):
    """The lessons of trusted projects, files that are left out and why, and messages for the user."""

    lessons: list[TeamLesson]
    left_out: list[tuple[str, str]]
    messages: list[str]


def lesson_of(file: ProjectFile, root: str) -> Lesson:
    """Returns the lesson of a file, always limited to its project; raises Refused if the file has none."""
    if file.problem:
        raise Refused(file.problem)
    try:
        text = file.content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("it is not UTF-8 text: save it as UTF-8.") from None
    try:
        document = json_document.parse(text, file.name, "correct it")
    except LessonsError as damaged:
        raise Refused("it " + str(damaged).removeprefix(file.name + " ")) from None
    if hidden := list(hidden_problems(document)):
        raise Refused(" ".join(hidden))
    own = {key: value for key, value in document.items() if key not in NOT_SHARED}
    made = {
        "id": "project-" + hashlib.sha256(f"{root}\0{file.name}".encode("utf-8", "replace")).hexdigest()[:24],
        "slug": own.get("slug", file.name.removesuffix(".json")),
        "scope": {"type": "project", "path": root},
        "createdAt": "",
        "updatedAt": "",
    }
    lesson = lesson_from_document(intake.normalise({**own, **made}))
    if (number := _patterns(lesson.triggers)) > _MOST_PATTERNS:
        raise Refused(f"triggers has {number} patterns: use at most {_MOST_PATTERNS}.")
    return lesson


def _patterns(triggers: Triggers) -> int:
    return len(triggers.tool_names) + sum(len(patterns) for _, patterns in patterns_in(triggers, PATTERNS))


def acting(home: str, own: LessonFile) -> Team:
    """Returns the lessons of all trusted projects whose files are unchanged; your own lessons take precedence."""
    team = Team([], [], [])
    try:
        projects = trusted.read(home)
    except LessonsError as damaged:
        team.messages.append(str(damaged))
        return team
    names = own.names() if projects else frozenset()
    for root, known in projects.items():
        files, messages = _unchanged(root, known)
        team.messages.extend(messages)
        for file in files:
            try:
                lesson = lesson_of(file, root)
            except LessonsError as refused:
                team.left_out.append((file.path, str(refused)))
                continue
            if lesson.slug in names or lesson.id in names:
                reason = f"slug is {lesson.slug}: you already have a lesson with this slug; rename one."
                team.left_out.append((file.path, reason))
            else:
                team.lessons.append(TeamLesson(root, file.path, lesson))
    return team


def changes(root: str, known: Trust) -> list[str]:
    """Returns one sentence for each file that changed since the user trusted the project."""
    return _unchanged(root, known)[1]


def _unchanged(root: str, known: Trust) -> tuple[list[ProjectFile], list[str]]:
    again = f"`lessons trust {root}`"
    try:
        files = project_folder.read(root)
    except NotFound:
        problem = f"{project_folder.folder_of(root)} is missing"
        return [], [f"{problem}: run `lessons trust --remove {root}` to stop trusting the project."]
    except (Refused, OSError) as fault:
        reason = str(fault) if isinstance(fault, Refused) else f"{root} cannot be read ({fault.strerror})."
        return [], [f"{reason} Then run {again}."]
    before = {**known.refused, **known.taken}
    messages = []
    for file in files:
        if file.name not in before:
            messages.append(f"{file.path} was added since you trusted the project: run {again}.")
        elif file.digest != before[file.name]:
            messages.append(f"{file.path} was changed since you trusted it: run {again}.")
    gone = sorted(before.keys() - {file.name for file in files})
    messages += [
        f"{project_folder.folder_of(root)}/{name} was removed since you trusted it: run {again}." for name in gone
    ]
    if len(messages) > _MOST_SENTENCES:
        messages[_MOST_SENTENCES:] = [f"{root} has {len(messages) - _MOST_SENTENCES} more such files: run {again}."]
    return [file for file in files if file.digest and known.taken.get(file.name) == file.digest], messages
