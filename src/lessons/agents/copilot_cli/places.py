"""Where Copilot CLI stores its hooks and transcripts, and how they are named."""

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
    """Returns our own file beside other hooks; a project's file is part of the repository."""
    of_person = os.path.join(home_of(environment, "COPILOT_HOME", ".copilot"), "hooks", "lessons.json")
    return of_scope(scope, project_folder, os.path.join(".github", "hooks", "lessons.json"), of_person)


def roots() -> list[str]:
    return below((os.environ.get("COPILOT_HOME", ""), "~/.copilot"), "session-state")


def stem(path: str) -> str:
    """Returns the session's folder name; older clients used it as file name."""
    folder, name = os.path.split(path)
    return os.path.basename(folder) if name == _EVENTS else name.removesuffix(SUFFIX)


def conversations(project_root: str) -> Iterator[str]:
    """Yields all of them: their names do not contain the project. Subagents are in the file of their session."""
    for root in roots():
        for pattern in (f"*/{_EVENTS}", f"*{SUFFIX}"):
            yield from glob.iglob(f"{glob.escape(root)}/{pattern}")
