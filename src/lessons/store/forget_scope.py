"""What the user wants forgotten, which rows, folders and lines belong to it, and which files hold what."""

import glob
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import msgspec

from lessons.match.call import folder_key, is_of_windows

if TYPE_CHECKING:
    from lessons.store.history.forget import Gone


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


@dataclass(frozen=True)
class Traces:
    """What the user asked for, and what the history says about it."""

    scope: ForgetScope
    deleted: "Gone"

    @property
    def sessions(self) -> set[str]:
        """Sessions that are deleted completely."""
        return (self.deleted.sessions | {self.scope.session}) - {""}

    @property
    def touched(self) -> set[str]:
        """Sessions of which something is deleted."""
        return self.deleted.touched | self.sessions

    @property
    def texts(self) -> set[str]:
        """Texts that lessons quote and that occur nowhere else."""
        return self.deleted.quoted - self.deleted.still_said

    def folders(self) -> set[str]:
        """Returns the folders of a project, all in which its calls were made, and those between."""
        if not self.scope.folders:
            return set()
        found = set(self.scope.folders)
        for folder in self.deleted.folders:
            while folder and folder not in found and self.scope.covers_folder(folder):
                found.add(folder)
                folder = folder.replace("\\", "/").rstrip("/").rpartition("/")[0]
        return found | self.deleted.folders  # a work tree elsewhere is a separate project


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
# Globs below the data home, and what such files hold. The first that matches a file counts.
HOME_FILES: tuple[tuple[str, Holds], ...] = (
    ("**/*.lock", "no texts"),
    ("**/.*.tmp", "left over"),
    ("compiled-lessons", "left over"),  # by an earlier version
    ("backups/.unfinished-*/**", "left over"),
    ("history.db*", "history"),
    ("backups/**/*.db*", "history"),
    ("injections*.jsonl*", "injections"),
    ("backups/**/injections*.jsonl*", "injections"),
    ("scan.log*", "log"),
    ("faults.log*", "log"),
    ("watch.log*", "log"),
    ("lessons.json", "lessons"),
    ("backups/lessons-*.json", "lessons"),
    ("backups/*/lessons.json", "lessons"),
    ("decisions.jsonl", "decisions"),
    ("backups/*/decisions.jsonl", "decisions"),
    ("projects/*/project.json", "settings"),
    ("projects/**", "state"),
    ("seen/**", "claims"),
    ("cross-project-candidates.json", "export"),
    ("scan-state.json", "export"),
    ("report.html", "export"),
    ("memory-index", "export"),
    ("lesson-manifest.json*", "published"),
    ("hook-index", "published"),
    ("config.json", "settings"),
    ("backups/*/config.json", "settings"),
    ("trusted.json", "settings"),
    ("passes.json*", "settings"),
    ("lesson.schema.json", "no texts"),
    ("README.txt", "no texts"),
    ("backups/*/backup.json", "no texts"),
    ("fired/*", "no texts"),
    ("lessons-hook", "no texts"),
    ("warm/*", "no texts"),
    ("person-lines.json", "no texts"),
)


def existing(home: str, *holding: Holds) -> list[str]:
    """Returns every file with one of these contents, by its path; a link counts as its target."""
    chosen: dict[str, Holds] = {}
    for pattern, holds in HOME_FILES:
        for name in glob.iglob(pattern, root_dir=home, recursive=True, include_hidden=True):
            chosen.setdefault(name, holds)
    paths = (os.path.join(home, name) for name, holds in chosen.items() if holds in holding)
    return sorted(path for path in paths if os.path.isfile(path))
