"""Finds every problem in files of shared lessons, for CI."""

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from lessons import json_document
from lessons.errors import LessonsError, NotFound, Refused
from lessons.model import Lesson, Triggers, shown
from lessons.promote.team.judge import judge_files
from lessons.store import project_folder
from lessons.store.project_folder import ProjectFile

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
    for folder, files in _files(places).items():
        if isinstance(files, str):
            problems.append(Problem(folder, files))
            continue
        number += len(files)
        for each in judge_files(_ANYWHERE, files):
            sentences = [*each.problems, *_unknown(each.file)]
            problems += [Problem(each.file.path, " ".join(sentence.split())) for sentence in sentences]
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


def _unknown(file: ProjectFile) -> Iterator[str]:
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
