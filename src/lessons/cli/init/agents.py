"""Finds the agents on this machine and whether they have the hook."""

import os
from typing import NamedTuple

from lessons.agents.installed import settings_file
from lessons.agents.table import AGENTS, places_of
from lessons.cli.review.screen import short_path

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
        return f"Found {self.name} ({where})." if self.supported else f"Found {self.name}, which is not supported yet."


def detect() -> list[Agent]:
    """The agents with files in the usual places."""
    found = []
    for agent in AGENTS:
        places = places_of(agent)
        usual = dict.fromkeys((os.path.dirname(settings_file(agent)), *places.roots()))
        if there := [folder for folder in usual if os.path.isdir(folder)]:
            found.append(Agent(places.TITLE, there, supported=True))
    for name, folders in _NOT_YET.items():
        there = [folder for folder in map(os.path.expanduser, folders) if os.path.isdir(folder)]
        if there:
            found.append(Agent(name, there, supported=False))
    return found
