"""A person's machine in, the agents that are at home there out, and whether their hook is in place."""

import os
from typing import NamedTuple

from lessons.agents.claude_code import install, places
from lessons.cli.review.screen import short_path
from lessons.errors import LessonsError

# What this version cannot read yet, each with the folders it leaves in a person's home.
_NOT_YET = {
    "Codex": ("~/.codex",),
    "opencode": ("~/.local/share/opencode", "~/.config/opencode"),
    "Copilot CLI": ("~/.copilot",),
    "Gemini CLI": ("~/.gemini",),
}


class Agent(NamedTuple):
    """`folders` are those that were found."""

    name: str
    folders: list[str]
    supported: bool

    def sentence(self) -> str:
        where = ", ".join(map(short_path, self.folders))
        return f"{self.name} is here ({where})." if self.supported else f"{self.name} is here: not yet supported."


def detect() -> list[Agent]:
    """Those that have left something in the usual places."""
    settings = os.path.dirname(settings_file())
    own = list(dict.fromkeys(folder for folder in (settings, *places.roots()) if os.path.isdir(folder)))
    found = [Agent("Claude Code", own, supported=True)] if own else []
    for name, folders in _NOT_YET.items():
        there = [folder for folder in map(os.path.expanduser, folders) if os.path.isdir(folder)]
        if there:
            found.append(Agent(name, there, supported=False))
    return found


def settings_file() -> str:
    return install.settings_path("user", os.getcwd(), os.environ)


def has_hook() -> bool:
    """Whether our hook is in the settings; a file that cannot be read has none that runs."""
    try:
        return bool(install.installed_commands(settings_file()))
    except LessonsError:
        return False
