"""Decides whether a record may be stored, by what the user excluded or had forgotten.

What was forgotten is in `decisions.jsonl`, as digests: it must not come back when a file is read again."""

import json
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256

import msgspec

from lessons import config, paths
from lessons.match.call import comparable
from lessons.store import files
from lessons.store.logs import append_line, event_in
from lessons.store.state_paths import covers, is_pattern

_DECISION = "forgotten"
_TIME = re.compile(r"\d{4}-\d\d-\d\d")


class Forgotten(msgspec.Struct, frozen=True):
    """Forgotten names, as digests: they can be recognised, not read."""

    sessions: frozenset[str] = frozenset()
    projects: Mapping[str, str] = {}  # digest -> everything before this time
    before: str = ""

    def covers(self, session_id: str, project: str, time: str) -> bool:
        """Whether a record of this session, project and time was forgotten."""
        if time and time < self.before:
            return True
        if self.sessions and self.names_session(session_id):
            return True
        # A record without a time counts as old, because its time is unknown.
        return bool(self.projects) and any(time < self.projects.get(folder, "") for folder in _digests_above(project))

    def names_project(self, folder: str) -> bool:
        """Whether this project, or one that contains it, was forgotten."""
        return any(each in self.projects for each in _digests_above(folder))

    def names_session(self, session_id: str) -> bool:
        return digest(session_id) in self.sessions


@lru_cache(maxsize=10_000)
def _digests_above(project: str) -> tuple[str, ...]:
    """Returns digests of the project and every folder above it: without its repository a folder is a project."""
    folders = [comparable(project)]
    while (parent := os.path.dirname(folders[-1])) != folders[-1]:
        folders.append(parent)
    return tuple(digest(folder) for folder in folders if folder)


def digest(name: str) -> str:
    return sha256(name.encode("utf-8", "replace")).hexdigest()


def record_forgotten(home: str, *, session: str = "", project: str = "", before: str = "") -> None:
    """Records one deletion; for a project, everything up to now."""
    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
    line = {"time": now, "decision": _DECISION}
    if session:
        line["session"] = digest(session)
    if project:
        line["project"] = digest(comparable(project))
    if before:
        line["before"] = before
    append_line(paths.decisions_file(home), json.dumps(line))


def read_forgotten(home: str) -> Forgotten:
    """Returns all deletions so far; skips lines that cannot be read."""
    sessions: set[str] = set()
    projects: dict[str, str] = {}
    before = ""
    for line in files.lines(paths.decisions_file(home)):
        entry = event_in(line) if _DECISION.encode() in line else None
        if entry is None or entry.get("decision") != _DECISION:
            continue
        if entry.get("session"):
            sessions.add(str(entry["session"]))
        if entry.get("project"):
            project = str(entry["project"])
            projects[project] = max(projects.get(project, ""), _time(entry.get("time")))
        before = max(before, _time(entry.get("before")))
    return Forgotten(frozenset(sessions), projects, before)


def _time(value: object) -> str:
    """Returns the value only if it is a time: every time sorts before a word, so a word would cover everything."""
    return value if isinstance(value, str) and _TIME.match(value) else ""


class Consent(msgspec.Struct, frozen=True):
    """Excluded projects, and what was forgotten."""

    excluded: tuple[str, ...] = ()
    forgotten: Forgotten = Forgotten()

    @property
    def name(self) -> str:
        """Equal for equal choices of the user: when it changes, excluded files are read again."""
        choices = (self.excluded, self.forgotten.before, sorted(self.forgotten.sessions))
        return digest(repr((*choices, sorted(self.forgotten.projects.items()))))

    @property
    def is_needed(self) -> bool:
        """Whether anything may be refused; usually not, and then nobody need ask."""
        return bool(self.excluded) or self.forgotten != Forgotten()

    def refuses(self, session_id: str, project: str, cwd: str, time: str) -> bool:
        """Whether a setting excludes the folder (a path above it, its name, a pattern), or the record was forgotten."""
        if any(covers(pattern, folder) for pattern in self.excluded for folder in (project, cwd)):
            return True
        return self.forgotten.covers(session_id, project, time)


def consent_of(home: str) -> Consent:
    excluded = config.get(home, "excludeProjects")
    assert isinstance(excluded, list)
    return Consent(tuple(patterns_of(excluded)), read_forgotten(home))


def patterns_of(excluded: list[str]) -> list[str]:
    """Returns each pattern in the spelling of the folders it is compared with."""
    written = [comparable(os.path.expanduser(pattern)).rstrip("/") or "/" for pattern in excluded]
    # A client writes the real path of a folder, a user often that of a link to it.
    real = [comparable(os.path.realpath(pattern)) for pattern in written if "/" in pattern and not is_pattern(pattern)]
    slashed = [pattern.replace("\\", "/") for pattern in written]
    return list(dict.fromkeys(written + slashed + real))
