"""Where opencode keeps its files."""

import os
from collections.abc import Iterator, Mapping

TITLE = "opencode"
PLUGIN = "lessons.js"


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """The plugin file, which is all that is ours."""
    if scope == "project":
        return os.path.join(os.path.abspath(project_folder), ".opencode", "plugins", PLUGIN)
    return os.path.join(_config_folder(environment), "plugins", PLUGIN)


def _config_folder(environment: Mapping[str, str]) -> str:
    # An empty variable counts as none.
    base = environment.get("XDG_CONFIG_HOME") or os.path.join(_home(environment), ".config")
    return environment.get("OPENCODE_CONFIG_DIR") or os.path.join(base, "opencode")


def _home(environment: Mapping[str, str]) -> str:
    return environment.get("HOME") or os.path.expanduser("~")


def data_folder(environment: Mapping[str, str]) -> str:
    base = environment.get("XDG_DATA_HOME") or os.path.join(_home(environment), ".local", "share")
    return os.path.join(base, "opencode")


def roots() -> list[str]:
    return [data_folder(os.environ)]


def conversations(project_root: str) -> Iterator[str]:
    """The names of sessions, not those of subagents; a store that cannot be read has none."""
    from lessons.agents.opencode.transcript import STORE

    for root in roots():
        yield from STORE.conversations(root, project_root)
