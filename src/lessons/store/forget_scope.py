"""What the user wants forgotten, which rows, folders and lines belong to it, and which files hold what."""

import glob
import os
from typing import Literal, NamedTuple

import msgspec

from lessons.match.call import folder_key, is_of_windows


class ForgetScope(msgspec.Struct, frozen=True):
    """One of three: a session, a project with everything below it, or everything before a time."""

    session: str = ""
    folders: tuple[str, ...] = ()  # of a project: as written, and where its links lead
    before: str = ""

    def condition(self, time: str = "time") -> tuple[str, list[object]]:
        """Returns the SQL condition for every table with columns for session, project and time."""
        if self.session:
            return "session_id = ?", [self.session]
        if self.before:
            return f"({time} <> '' AND {time} < ?)", [self.before]
        return self.below("project")

    def below(self, expression: str) -> tuple[str, list[object]]:
        """Returns the SQL condition that the expression is one of the folders or inside one."""
        parts = [lies_in(folder, expression) for folder in self.folders]
        conditions = " OR ".join(condition for condition, _ in parts)
        return f"({conditions or '0'})", [value for _, values in parts for value in values]

    def covers(self, session: str, folder: str, time: str) -> bool:
        """Returns the same for data outside the tables."""
        if self.session:
            return session == self.session
        if self.before:
            return bool(time) and time < self.before
        return self.covers_folder(folder)

    def covers_folder(self, folder: str) -> bool:
        return any(folder_key(folder).startswith(folder_key(each)) for each in self.folders)


def lies_in(folder: str, expression: str) -> tuple[str, list[object]]:
    """Returns the SQL condition that the expression is this folder or inside it; equivalent to comparing their keys."""
    if is_of_windows(folder):
        expression = rf"replace(lower(substr({expression}, 1, 1)) || substr({expression}, 2), '\', '/')"
    return f"substr({expression} || '/', 1, ?) = ?", [len(folder_key(folder)), folder_key(folder)]


# The content of a file decides what is done with it.
Holds = Literal[
    "history",  # rows, in the history itself and in copies of it
    "injections",  # lines of the hook
    "log",  # lines of text
    "lessons",  # lessons: their texts stay, examples and sessions of forgotten data go
    "decisions",  # what was decided about candidates
    "state",  # what sessions were doing
    "claims",  # what a running session was shown
    "export",  # made from the history, and can be rebuilt
    "published",  # made from the lessons, and can be rebuilt
    "settings",  # set up by the user, kept
    "no texts",  # digests, times, numbers and names of events
    "left over",  # by a process that was killed
]


class HomeFile(NamedTuple):
    """A glob below the data home, and what such files hold."""

    pattern: str
    holds: Holds


# The first that matches a file counts.
HOME_FILES = (
    HomeFile("**/*.lock", "no texts"),
    HomeFile("**/.*.tmp", "left over"),
    HomeFile("backups/.unfinished-*/**", "left over"),
    HomeFile("history.db*", "history"),
    HomeFile("backups/**/*.db*", "history"),
    HomeFile("injections*.jsonl*", "injections"),
    HomeFile("backups/**/injections*.jsonl*", "injections"),
    HomeFile("scan.log*", "log"),
    HomeFile("faults.log*", "log"),
    HomeFile("watch.log*", "log"),
    HomeFile("lessons.json", "lessons"),
    HomeFile("backups/lessons-*.json", "lessons"),
    HomeFile("backups/*/lessons.json", "lessons"),
    HomeFile("decisions.jsonl", "decisions"),
    HomeFile("backups/*/decisions.jsonl", "decisions"),
    HomeFile("projects/*/project.json", "settings"),
    HomeFile("projects/**", "state"),
    HomeFile("seen/**", "claims"),
    HomeFile("cross-project-candidates.json", "export"),
    HomeFile("scan-state.json", "export"),
    HomeFile("report.html", "export"),
    HomeFile("memory-index", "export"),
    HomeFile("lesson-manifest.json*", "published"),
    HomeFile("hook-index", "published"),
    HomeFile("compiled-lessons", "published"),
    HomeFile("config.json", "settings"),
    HomeFile("backups/*/config.json", "settings"),
    HomeFile("trusted.json", "settings"),
    HomeFile("passes.json*", "settings"),
    HomeFile("lesson.schema.json", "no texts"),
    HomeFile("README.txt", "no texts"),
    HomeFile("backups/*/backup.json", "no texts"),
    HomeFile("fired/*", "no texts"),
    HomeFile("warm/*", "no texts"),
    HomeFile("person-lines.json", "no texts"),
)


def existing(home: str, *holding: Holds) -> list[str]:
    """Returns every file with one of these contents, by its path; a link counts as its target."""
    chosen: dict[str, Holds] = {}
    for pattern, holds in HOME_FILES:
        for name in glob.iglob(pattern, root_dir=home, recursive=True, include_hidden=True):
            chosen.setdefault(name, holds)
    paths = (os.path.join(home, name) for name, holds in chosen.items() if holds in holding)
    return sorted(path for path in paths if os.path.isfile(path))
