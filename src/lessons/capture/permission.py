"""Decides where each record of a transcript stands, and whether the user lets it be stored."""

from typing import NamedTuple

from lessons.agents.base import Line, Record
from lessons.agents.events import Called, Returned, Setting
from lessons.capture.memory import WITHHELD, Memory
from lessons.capture.project import Projects
from lessons.capture.setting import folder_of
from lessons.redact.texts import clean_name
from lessons.store.consent import Consent
from lessons.store.forgotten import digest


class Place(NamedTuple):
    """Where and when a record stands; what its line does not say, an earlier one did."""

    session_id: str
    project: str
    cwd: str
    time: str


class Permission:
    """The permission for one file; what it must remember of the file is in `memory`."""

    def __init__(self, stem: str, memory: Memory, projects: Projects, consent: Consent) -> None:
        self._stem = stem
        self._memory = memory
        self._projects = projects
        self._consent = consent if consent.is_needed else None
        self._free = memory.folders  # in which something may be stored: their names may be, too

    def session_of(self, line: Line) -> str:
        return line.session_id or self._memory.session_id or self._stem

    def place_of(self, line: Line) -> Place:
        memory = self._memory
        cwd = folder_of(line, memory)
        project = self._projects.project_of(cwd, memory.first_cwd)
        return Place(self.session_of(line), project, cwd, line.time or memory.time)

    def refuses(self, place: Place) -> bool:
        return self._consent is not None and self._consent.refuses(*place)

    def refuses_events(self, record: Record, place: Place) -> bool:
        """By where and when they stand; the result of a refused call is refused wherever it stands."""
        if self._consent is None:
            self._memory.allowed = True
            return False
        if self._is_refused(record, place):
            self._memory.refused = True
            return True
        if type(record.events[0]) is not Setting:  # of which nothing but the memory is stored
            self._memory.allowed = True
            self._free.add(clean_name(place.cwd))
        return False

    def _is_refused(self, record: Record, place: Place) -> bool:
        refused = self._memory.refused_calls
        # A title or the end of a task may stand before anything tells whose it is; what is said has its folder.
        unknown = not place.project and not record.is_conversation
        if unknown or self.refuses(place):
            refused += [digest(event.tool_use_id) for event in record.events if isinstance(event, Called)]
            return True
        results = [digest(event.tool_use_id) for event in record.events if isinstance(event, Returned)]
        found = [name for name in results if name in refused]
        for name in found:
            refused.remove(name)
        return bool(found)

    def stored_memory(self) -> str:
        """Returns the memory as it is stored: nothing of one that names what the user excluded."""
        memory, project_of = self._memory, self._projects.project_of
        named = [Place("", project_of(cwd, cwd), cwd, "") for cwd in memory.folders - self._free]
        named += [Place(session_id, "", "", "") for session_id in memory.sessions]
        return WITHHELD if any(map(self.refuses, named)) else memory.text()
