"""Where Copilot CLI keeps its hooks and its transcripts, and how they are named."""

import glob
import os
from collections.abc import Iterator, Mapping

from lessons.agents.usual_places import below, home_of, of_scope

TITLE = "Copilot CLI"
SUFFIX = ".jsonl"
# Files of the work itself, and copies of them.
SKIPPED_FOLDERS = frozenset(("files", "checkpoints", "rewind-snapshots", "research"))
_EVENTS = "events.jsonl"


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """A file of our own beside other hooks; that of a project is part of the repository."""
    of_person = os.path.join(home_of(environment, "COPILOT_HOME", ".copilot"), "hooks", "lessons.json")
    return of_scope(scope, project_folder, os.path.join(".github", "hooks", "lessons.json"), of_person)


def roots() -> list[str]:
    return below((os.environ.get("COPILOT_HOME", ""), "~/.copilot"), "session-state")


def stem(path: str) -> str:
    """The session's folder; older clients named the file itself so."""
    folder, name = os.path.split(path)
    return os.path.basename(folder) if name == _EVENTS else name.removesuffix(SUFFIX)


def conversations(project_root: str) -> Iterator[str]:
    """All of them: their names do not contain the project. Subagents are in the file of their session."""
    for root in roots():
        for pattern in (f"*/{_EVENTS}", f"*{SUFFIX}"):
            yield from glob.iglob(f"{glob.escape(root)}/{pattern}")
