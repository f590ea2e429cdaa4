"""Where Gemini CLI stores its settings and sessions."""

import os
from collections.abc import Iterator, Mapping

from lessons.agents.usual_places import of_scope, person_of

TITLE = "Gemini CLI"
SUFFIXES = (".jsonl", ".json")
_PREFIX, _CHATS = "session-", "chats"
_ROOT_FILE = ".project_root"
_LONGEST_PATH = 4_096


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """Returns the settings file; a project's file is part of the repository, and used if the user trusts the folder."""
    file = os.path.join(".gemini", "settings.json")
    return of_scope(scope, project_folder, file, os.path.join(_home(environment), file))


def _home(environment: Mapping[str, str]) -> str:
    return environment.get("GEMINI_CLI_HOME") or person_of(environment)


def roots() -> list[str]:
    return [os.path.join(_home(os.environ), ".gemini", "tmp")]


def is_session(path: str) -> bool:
    """Whether it is `…/session-….json`, or a file one folder below the chats: a session of a subagent."""
    folder, name = os.path.split(path)
    is_named = name.startswith(_PREFIX) or os.path.basename(os.path.dirname(folder)) == _CHATS
    return is_named and name.endswith(SUFFIXES)


def stem(path: str) -> str:
    name = os.path.basename(path)
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix)), name)


def project_of(path: str) -> str:
    """Returns the project's folder, if the client has recorded it beside its chats; else empty."""
    folder = os.path.dirname(path)
    for _ in range(3):
        try:
            with open(os.path.join(folder, _ROOT_FILE), encoding="utf-8", errors="replace") as file:
                found = file.read(_LONGEST_PATH).strip()
            return found if os.path.isabs(found) else ""
        except OSError:
            folder = os.path.dirname(folder)
    return ""


def conversations(project_root: str) -> Iterator[str]:
    """Yields the sessions of this project, or all; also those whose project is unknown."""
    inside = tuple({os.path.join(each, "") for each in (project_root, os.path.realpath(project_root))})
    for root in filter(os.path.isdir, roots()):
        for entry in os.scandir(root):
            chats = os.path.join(entry.path, _CHATS)
            for file in os.scandir(chats) if os.path.isdir(chats) else ():
                project = project_of(file.path) if is_session(file.path) else None
                if project == "" or (project and (not project_root or os.path.join(project, "").startswith(inside))):
                    yield file.path
