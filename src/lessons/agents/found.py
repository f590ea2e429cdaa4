"""Finds the agents on this machine, by their folders in the user's home."""

import os
from typing import NamedTuple

from lessons.agents.installed import settings_file
from lessons.agents.table import AGENTS, places_of


class FoundAgent(NamedTuple):
    """An agent, and which of its folders exist."""

    title: str
    folders: list[str]
    agent: str  # its name in the table


def found_agents() -> list[FoundAgent]:
    """Returns the agents with files in the usual places."""
    found = []
    for agent in AGENTS:
        places = places_of(agent)
        usual = dict.fromkeys((os.path.dirname(settings_file(agent)), *places.roots()))
        if there := [folder for folder in usual if os.path.isdir(folder)]:
            found.append(FoundAgent(places.TITLE, there, agent))
    return found
