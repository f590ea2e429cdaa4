"""The common part of all readers with the usual tools: where transcripts are, and what a call does."""

from typing import Protocol

from lessons.agents.actions import Action
from lessons.agents.events import Called
from lessons.agents.tool_actions import action_of


class FilePlaces(Protocol):
    """The part of the module `places` that a reader needs."""

    def roots(self) -> list[str]: ...

    def stem(self, path: str) -> str:
        """Returns the name of a transcript in the keys of its segments."""


class PlacedReader:
    """Base of a reader."""

    def __init__(self, places: FilePlaces) -> None:
        self._places = places

    def roots(self) -> list[str]:
        return self._places.roots()

    def stem(self, path: str) -> str:
        return self._places.stem(path)

    def action_of(self, called: Called) -> Action | None:
        return action_of(called.tool, called.arguments)

    def made_task(self, printed: str) -> str:
        return ""
