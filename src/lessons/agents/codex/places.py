"""Where Codex stores its hooks and transcripts, and how they are named."""

import os
import re
from collections.abc import Iterator, Mapping

from lessons.agents.usual_places import home_of, of_scope

TITLE = "Codex"
SUFFIX = (".jsonl", ".jsonl.zst")
_NAME = re.compile(r"rollout-.*?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\Z")
_SUBAGENT = re.compile(rb'"thread_source": ?"subagent"')
_FIRST_LINE = 1 << 16
_FOLDERS = ("sessions", "archived_sessions")


def home_folder(environment: Mapping[str, str]) -> str:
    return home_of(environment, "CODEX_HOME", ".codex")


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """Returns the file with hooks; a project's file is read only if the user trusts the project."""
    of_person = os.path.join(home_folder(environment), "hooks.json")
    return of_scope(scope, project_folder, os.path.join(".codex", "hooks.json"), of_person)


def roots() -> list[str]:
    """Returns the folders of live and archived sessions, of every home that this user's clients may use."""
    homes = dict.fromkeys(map(os.path.realpath, (home_folder(os.environ), os.path.expanduser("~/.codex"))))
    return [os.path.join(home, folder) for home in homes for folder in _FOLDERS]


def stem(path: str) -> str:
    """Returns the id of the thread in the file name, also for a compressed file."""
    name = os.path.basename(path)
    for suffix in reversed(SUFFIX):
        name = name.removesuffix(suffix)
    found = _NAME.match(name)
    return found[1] if found else name


def conversations(project_root: str) -> Iterator[str]:
    """Yields those of all projects: the file name does not contain the project."""
    for root in roots():
        for folder, _, names in os.walk(root):
            paths = (os.path.join(folder, name) for name in names if name.endswith(SUFFIX))
            yield from (path for path in paths if not _is_of_subagent(path))


def _is_of_subagent(path: str) -> bool:
    """Decides by the first line; a compressed file is old, and counts as a conversation."""
    try:
        with open(path, "rb") as file:
            return bool(_SUBAGENT.search(file.readline(_FIRST_LINE)))
    except OSError:
        return False
