"""Where Claude Code keeps its settings and its transcripts, and how they are named."""

import glob
import os
import re
from collections.abc import Iterator, Mapping

from lessons.errors import Refused

TITLE = "Claude Code"
SUFFIX = ".jsonl"
# What lies in there is the raw output of tools, no conversation.
SKIPPED_FOLDERS = frozenset(("tool-results",))
_OTHER_SIGNS = re.compile(r"[^a-zA-Z0-9]")


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """The settings file of a scope; the project's is the one not shared, since it will hold local paths."""
    if scope == "project":
        return os.path.join(os.path.abspath(project_folder), ".claude", "settings.local.json")
    if scope != "user":
        raise Refused(f"The scope is {scope!r}: choose user or project.")
    home = environment.get("HOME") or os.path.expanduser("~")
    folder = environment.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")
    return os.path.join(os.path.abspath(folder), "settings.json")


def client_config_path(environment: Mapping[str, str]) -> str:
    """The file in which the client keeps its servers, among much else."""
    folder = environment.get("CLAUDE_CONFIG_DIR") or environment.get("HOME") or os.path.expanduser("~")
    return os.path.join(os.path.abspath(folder), ".claude.json")


def roots() -> list[str]:
    """Every folder of projects that this person's clients may write to."""
    homes = [os.environ.get("CLAUDE_CONFIG_DIR", ""), "~/.claude", "~/.config/claude"]
    found = [os.path.join(os.path.realpath(os.path.expanduser(home)), "projects") for home in homes if home]
    return list(dict.fromkeys(found))


def stem(path: str) -> str:
    return os.path.basename(path).removesuffix(SUFFIX)


def conversations(project_root: str) -> Iterator[str]:
    """By the name of their folder, in which a dash stands for any other sign: some may be of another project."""
    names = {_OTHER_SIGNS.sub("-", each) for each in (project_root, os.path.realpath(project_root))}
    for root in roots():
        for path in glob.iglob(f"{glob.escape(root)}/*/*{SUFFIX}"):
            is_meant = not project_root or os.path.basename(os.path.dirname(path)).startswith(tuple(names))
            if is_meant and not os.path.basename(path).startswith("agent-"):
                yield path
