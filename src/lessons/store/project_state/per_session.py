"""A document that each session has for itself and the project has of the latest one: its name in, its two files out."""

from typing import Generic

from lessons.store.project_state import documents
from lessons.store.project_state.documents import Document
from lessons.store.project_state.state_paths import Place


class PerSession(Generic[Document]):
    """In `hooks/` the latest one is a hidden file, as the contract names it."""

    def __init__(self, name: str, kind: type[Document], in_hooks: bool = True) -> None:
        self.name = name
        self._kind = kind
        self._in_hooks = in_hooks

    def own_file(self, place: Place, session_id: str) -> str:
        return f"{place.session(session_id)}/{self.name}"

    def latest_file(self, place: Place) -> str:
        return f"{place.hooks}/.{self.name}" if self._in_hooks else f"{place.state}/{self.name}"

    def read_of(self, place: Place, session_id: str) -> Document | None:
        return documents.read(place, self.own_file(place, session_id), self._kind)

    def read_latest(self, place: Place) -> Document | None:
        return documents.read(place, self.latest_file(place), self._kind)

    def write(self, place: Place, session_id: str, value: Document, is_latest: bool = True) -> None:
        """The caller holds the lock."""
        latest = self.latest_file(place) if is_latest else ""
        documents.write(place, self.own_file(place, session_id), value, latest)
