"""Where Copilot CLI keeps its hooks and its transcripts, and how they are named."""

import glob
import os
from collections.abc import Iterator, Mapping

from lessons.errors import Refused

TITLE = "Copilot CLI"
SUFFIX = ".jsonl"
# Files of the work itself, and copies of them.
SKIPPED_FOLDERS = frozenset(("files", "checkpoints", "rewind-snapshots", "research"))
_EVENTS = "events.jsonl"


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """A file of our own beside other hooks; that of a project is part of the repository."""
    if scope == "project":
        return os.path.join(os.path.abspath(project_folder), ".github", "hooks", "lessons.json")
    if scope != "user":
        raise Refused(f"The scope is {scope!r}: choose user or project.")
    return os.path.join(_home(environment), "hooks", "lessons.json")


def _home(environment: Mapping[str, str]) -> str:
    person = environment.get("HOME") or os.path.expanduser("~")
    return os.path.abspath(environment.get("COPILOT_HOME") or os.path.join(person, ".copilot"))


def roots() -> list[str]:
    homes = [os.environ.get("COPILOT_HOME", ""), "~/.copilot"]
    found = [os.path.join(os.path.realpath(os.path.expanduser(home)), "session-state") for home in homes if home]
    return list(dict.fromkeys(found))


def stem(path: str) -> str:
    """The session's folder; older clients named the file itself so."""
    folder, name = os.path.split(path)
    return os.path.basename(folder) if name == _EVENTS else name.removesuffix(SUFFIX)


def conversations(project_root: str) -> Iterator[str]:
    """All of them: their names do not contain the project. Subagents are in the file of their session."""
    for root in roots():
        for pattern in (f"*/{_EVENTS}", f"*{SUFFIX}"):
            yield from glob.iglob(f"{glob.escape(root)}/{pattern}")
