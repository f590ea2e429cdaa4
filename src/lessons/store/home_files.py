"""The table of all kinds of files in the data home, and what `lessons forget` does with each; checked by a test."""

import glob
import os
from typing import Literal, NamedTuple

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
    HomeFile(".rescue-*/**", "left over"),
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
    HomeFile("unfinished-decision.json", "decisions"),
    HomeFile("projects/*/project.json", "settings"),
    HomeFile("projects/**", "state"),
    HomeFile("seen/**", "claims"),
    HomeFile("cross-project-candidates.json", "export"),
    HomeFile("scan-state.json", "export"),
    HomeFile("report.html", "export"),
    HomeFile("memory-index", "export"),
    HomeFile("lesson-manifest.json*", "published"),
    HomeFile("hook-index", "published"),
    HomeFile("slow-patterns.json", "published"),
    HomeFile("compiled-lessons", "published"),
    HomeFile("config.json", "settings"),
    HomeFile("backups/*/config.json", "settings"),
    HomeFile("trusted.json", "settings"),
    HomeFile("passes.json*", "settings"),
    HomeFile("warm-settings.json", "settings"),
    HomeFile("lesson.schema.json", "no texts"),
    HomeFile("README.txt", "no texts"),
    HomeFile("backups/*/backup.json", "no texts"),
    HomeFile("fired/*", "no texts"),
    HomeFile("warm/*", "no texts"),
    HomeFile("last-listing.json", "no texts"),
    HomeFile("review-state.json", "no texts"),
    HomeFile("person-lines.json", "no texts"),
    HomeFile("watch-status.json", "no texts"),
)


def existing(home: str, *holding: Holds) -> list[str]:
    """Returns every file with one of these contents, by its path; a link counts as its target."""
    chosen: dict[str, Holds] = {}
    for pattern, holds in HOME_FILES:
        for name in glob.iglob(pattern, root_dir=home, recursive=True, include_hidden=True):
            chosen.setdefault(name, holds)
    paths = (os.path.join(home, name) for name, holds in chosen.items() if holds in holding)
    return sorted(path for path in paths if os.path.isfile(path))
