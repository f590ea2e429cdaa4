"""Lessons that a project shares: which are trusted and act, how they are judged, verified and exported."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from lessons import json_document
from lessons.errors import LessonsError, NotFound, Refused
from lessons.lesson_fields import FIRING, PATTERNS, patterns_in
from lessons.model import (
    LONGEST_SUMMARY,
    SHORTEST_TEXT,
    Lesson,
    Triggers,
    document_from_lesson,
    lesson_from_document,
    shown,
)
from lessons.promote import intake
from lessons.promote.intake import hidden_problems, texts_in
from lessons.promote.publish.entry import condition_faults, entry_of
from lessons.promote.publish.slow import find_danger
from lessons.store import files, project_folder, settings
from lessons.store.lesson_file import LessonFile
from lessons.store.project_folder import ProjectFile
from lessons.store.settings import Trust

# Fields about one user's sessions, and those that are recomputed wherever the lesson is read.
NOT_SHARED = (
    "id",
    "scope",
    "sourceSessionIds",
    "occurrenceCount",
    "fingerprints",
    "createdAt",
    "updatedAt",
    "contentHash",
)
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
    number = len(lesson.triggers.tool_names)
    number += sum(len(patterns) for _, patterns in patterns_in(lesson.triggers, PATTERNS))
    if number > _MOST_PATTERNS:
        raise Refused(f"triggers has {number} patterns: use at most {_MOST_PATTERNS}.")
    return lesson


def acting(home: str, own: LessonFile) -> Team:
    """Returns the lessons of all trusted projects whose files are unchanged; your own lessons take precedence."""
    team = Team([], [], [])
    try:
        projects = settings.trusted_projects(home)
    except LessonsError as damaged:
        team.messages.append(str(damaged))
        return team
    names = own.names() if projects else frozenset()
    for root, known in projects.items():
        files, messages = unchanged(root, known)
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


def unchanged(root: str, known: Trust) -> tuple[list[ProjectFile], list[str]]:
    """Returns the files as the user trusted them, and one sentence for each that changed since."""
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


class Judged(NamedTuple):
    """One file of a project; without a lesson if none could be read."""

    file: ProjectFile
    lesson: Lesson | None
    problems: list[str]
    warnings: list[str]


def judge(
    root: str, known: Iterable[Lesson] = (), taken: Iterable[str] = (), files: Iterable[ProjectFile] | None = None
) -> list[Judged]:
    """Checks files, or all of a project, by the rules for lessons; `known` and the names `taken` are the user's own."""
    accepted, slugs = list(known), dict.fromkeys(taken, "one of your lessons")
    found = []
    for file in project_folder.read(root) if files is None else files:
        try:
            lesson = lesson_of(file, root)
        except LessonsError as refused:
            found.append(Judged(file, None, [str(refused)], []))
            continue
        problems, warnings = intake.check_new(document_from_lesson(lesson), accepted)
        if lesson.needs_review:
            problems.append(f"needsReview is true (confidence {lesson.confidence:g}): a person must approve it.")
        # A slow pattern is a problem here, as nobody would fix it.
        problems = problems or entry_of(lesson, find_danger).left_out
        if lesson.slug in slugs:
            problems = [f"slug is {lesson.slug}, already used by {slugs[lesson.slug]}: rename one."]
        if not problems:
            accepted.append(lesson)
        slugs.setdefault(lesson.slug, file.name)
        found.append(Judged(file, lesson, problems, warnings))
    return found


def trust(home: str, root: str, judged: list[Judged], now: str) -> None:
    """Records what the user has seen and agreed to."""
    taken = {each.file.name: each.file.digest for each in judged if not each.problems}
    refused = {each.file.name: each.file.digest for each in judged if each.problems}
    settings.trust(home, root, Trust(now, taken, refused))


def shared_entries(root: str) -> dict[str, dict[str, object]]:
    """Returns entries by slug; leaves out lessons with a problem, which `lessons verify` reports."""
    accepted = [each.lesson for each in judge(root) if each.lesson is not None and not each.problems]
    return {lesson.slug: entry_of(lesson, find_danger).entry for lesson in accepted}


# Intake checks a lesson's project; that of a file is wherever it is checked out.
_ANYWHERE = "/project"
_KEYS = {
    "": {field.encode_name for field in msgspec.structs.fields(Lesson)} | {"$schema"},
    "triggers": {field.encode_name for field in msgspec.structs.fields(Triggers)},
}


class Problem(NamedTuple):
    file: str
    sentence: str


class Verified(NamedTuple):
    """How many files were checked, and what is wrong with them."""

    files: int
    problems: list[Problem]


def verify(places: Sequence[str]) -> Verified:
    """Checks projects, their folders, or single files; lessons in one folder must not share a slug."""
    number, problems = 0, []
    for folder, found in _files(places).items():
        if isinstance(found, str):
            problems.append(Problem(folder, found))
            continue
        number += len(found)
        for each in judge(_ANYWHERE, files=found):
            for sentence in [*each.problems, *_unknown_keys(each.file)]:
                problems.append(Problem(each.file.path, " ".join(sentence.split())))
    return Verified(number, problems)


def _files(places: Sequence[str]) -> dict[str, list[ProjectFile] | str]:
    """Returns the files by their folder; a sentence for a folder that cannot be read."""
    found: dict[str, list[ProjectFile] | str] = {}
    for place in places:
        if os.path.isdir(place):
            is_folder = os.path.basename(os.path.abspath(place)) == project_folder.NAME
            root = os.path.dirname(os.path.abspath(place)) if is_folder else place
            folder = os.path.normpath(place) if is_folder else os.path.normpath(project_folder.folder_of(place))
            try:
                files = project_folder.read(root)
            except Refused as refused:
                found[folder] = str(refused)
                continue
            found[folder] = [file._replace(path=os.path.join(folder, file.name)) for file in files]
        elif os.path.lexists(place):
            beside = found.setdefault(os.path.dirname(place), [])
            if isinstance(beside, list) and place not in [file.path for file in beside]:
                beside.append(project_folder.read_file(place))
        else:
            raise NotFound(f"No {shown(place)}: give a project, its folder {project_folder.NAME}, or files.")
    return found


def _unknown_keys(file: ProjectFile) -> Iterator[str]:
    """Yields unknown keys: a typo in a shared file would otherwise go unnoticed."""
    try:
        document = json_document.parse(file.content.decode("utf-8-sig"), file.name, "")
    except (LessonsError, UnicodeDecodeError):
        return
    for part, known in _KEYS.items():
        holder = document.get(part) if part else document
        for key in holder if isinstance(holder, dict) else ():
            if key not in known:
                name = f"{part}.{key}" if part else key
                yield f"{shown(name)} is not a field of a lesson: fix its name or remove it."


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
    for lesson in file.lessons():
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
        if isinstance(examples := document.get("examples"), dict):
            for side, calls in examples.items():
                # The other examples show the same as those of one machine.
                examples[side] = [call for call in calls if not any(_place(text, root) for _, text in texts_in(call))]
        document |= _completed(lesson)
        own = []
        for field, text in texts_in(document):
            if redact(text) != text:
                own.append(f"{field} seems to contain a secret: remove it before others read it.")
            if place := _place(text, root):
                own.append(f"{field} has {shown(place)}, a path on one machine: remove it.")
        if lesson.scope.type == "machine":
            own.append("scope.type is machine: it is about this machine and is not exported.")
        own += condition_faults(lesson.triggers)
        if lesson.needs_review:
            own.append("needsReview is true: share it after a review.")
        if lesson.stage == "retired":
            own.append(f"stage is retired: `lessons unarchive {lesson.slug}` first.")
        problems += [f"{lesson.slug}: {sentence}" for sentence in dict.fromkeys(own)]
        if not project_folder.is_usual_name(f"{lesson.slug}.json"):
            problems.append(f"slug is {shown(lesson.slug)}, which cannot be the name of a file: use a-z, 0-9 and -.")
        path = os.path.join(project_folder.folder_of(root), f"{lesson.slug}.json")
        files.append(Exported(lesson.slug, path, json_document.render(document, json_document.Style()).encode()))
    if problems:
        raise Refused("\n".join(problems))
    return files


def _completed(lesson: Lesson) -> dict[str, object]:
    """Returns the texts that are too short for other systems, made longer by what the lesson is about."""
    fires = lesson.examples.fires if lesson.examples else []
    patterns = [pattern for _, found in patterns_in(lesson.triggers, FIRING) for pattern in found]
    subjects = [*(each for each in fires if isinstance(each, str)), *patterns, *lesson.triggers.tool_names]
    about = f"about `{subjects[0]}`" if subjects else "for the start of a session"
    found = {"summary": f"{lesson.summary} ({about})"[:LONGEST_SUMMARY], "solution": f"{lesson.solution} ({about})"}
    found["problem"] = f"{lesson.problem or 'A rule'} {about}, as it is done here."
    return {name: text for name, text in found.items() if len(getattr(lesson, name).strip()) < SHORTEST_TEXT}


def own_exports(own: LessonFile, root: str, files: Iterable[ProjectFile], redact: Redact) -> set[str]:
    """Returns the names of the files that are what an export of the user's own lessons writes today."""
    found: set[str] = set()
    for file in files:
        with suppress(LessonsError):
            record = own.find(file.name.removesuffix(".json"))
            found.update(file.name for each in prepared([record], root, redact) if each.content == file.content)
    return found


def write(exported: list[Exported], root: str, force: bool) -> list[tuple[Exported, bool]]:
    """Returns each file and whether it was written; replaces a file with other content only with `force`."""
    folder = project_folder.folder_of(root)
    if os.path.lexists(folder) and (os.path.islink(folder) or not os.path.isdir(folder)):
        raise Refused(f"{folder} is not a regular folder: replace it with one.")
    for each in exported:
        if os.path.lexists(each.path):
            there = project_folder.read_file(each.path)
            if os.path.islink(each.path) or not os.path.isfile(each.path):
                raise Refused(f"{each.path} is not a regular file and was not changed: remove it first.")
            if there.content != each.content and not force:
                raise Refused(f"{each.path} has other content and was not changed: add --force to replace it.")
    os.makedirs(folder, exist_ok=True)
    return [(each, files.write_bytes(each.path, each.content, 0o644)) for each in exported]


def _place(text: str, root: str) -> str:
    """Returns a location of somebody's files that the text reveals, if any."""
    own = next((each for each in (root, os.path.expanduser("~")) if len(each) > 1 and each in text), "")
    found = _OF_A_PERSON.search(text)
    return own or (found[0] if found else "")
