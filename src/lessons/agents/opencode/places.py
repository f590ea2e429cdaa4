"""Where opencode stores its files."""

import os
from collections.abc import Iterator, Mapping

from lessons.agents.usual_places import of_scope, person_of

TITLE = "opencode"
PLUGIN = "lessons.js"
# Between the database file and the session, in the name of a source.
SEPARATOR = "#"
# Of the files in which older versions stored sessions.
ENDING = ".json"


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """Returns the plugin file, our only file."""
    of_person = os.path.join(_config_folder(environment), "plugins", PLUGIN)
    return of_scope(scope, project_folder, os.path.join(".opencode", "plugins", PLUGIN), of_person)


def _config_folder(environment: Mapping[str, str]) -> str:
    # An empty variable counts as unset.
    base = environment.get("XDG_CONFIG_HOME") or os.path.join(person_of(environment), ".config")
    return environment.get("OPENCODE_CONFIG_DIR") or os.path.join(base, "opencode")


def data_folder(environment: Mapping[str, str]) -> str:
    base = environment.get("XDG_DATA_HOME") or os.path.join(person_of(environment), ".local", "share")
    return os.path.join(base, "opencode")


def roots() -> list[str]:
    return [data_folder(os.environ)]


def stem(path: str) -> str:
    """Returns the id of the session."""
    return os.path.basename(path).rpartition(SEPARATOR)[2].removesuffix(ENDING)


def conversations(project_root: str) -> Iterator[str]:
    """Yields the names of sessions, without those of subagents; none for an unreadable store."""
    from lessons.agents.opencode.transcript import STORE

    for root in roots():
        yield from STORE.conversations(root, project_root)
