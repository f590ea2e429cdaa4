"""Finds the agents on this machine, by the folders that they leave in a person's home."""

import os
from typing import NamedTuple

from lessons.agents.installed import settings_file
from lessons.agents.table import AGENTS, places_of


class FoundAgent(NamedTuple):
    """`folders` are those that were found."""

    title: str
    folders: list[str]
    agent: str  # its name in the table


def found_agents() -> list[FoundAgent]:
    """The agents with files in the usual places."""
    found = []
    for agent in AGENTS:
        places = places_of(agent)
        usual = dict.fromkeys((os.path.dirname(settings_file(agent)), *places.roots()))
        if there := [folder for folder in usual if os.path.isdir(folder)]:
            found.append(FoundAgent(places.TITLE, there, agent))
    return found
