"""Decides whether a record may be stored, by what the user excluded or had forgotten."""

import os

import msgspec

from lessons import config
from lessons.match.call import comparable
from lessons.store import forgotten as past
from lessons.store.excluded import covers, is_pattern
from lessons.store.forgotten import Forgotten, digest


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
    """Returns what the user has chosen for this data home."""
    excluded = config.get(home, "excludeProjects")
    assert isinstance(excluded, list)
    return consent(excluded, past.read(home))


def consent(excluded: list[str], forgotten: Forgotten) -> Consent:
    return Consent(tuple(patterns_of(excluded)), forgotten)


def patterns_of(excluded: list[str]) -> list[str]:
    """Returns each pattern in the spelling of the folders it is compared with."""
    written = [comparable(os.path.expanduser(pattern)).rstrip("/") or "/" for pattern in excluded]
    # A client writes the real path of a folder, a user often that of a link to it.
    real = [comparable(os.path.realpath(pattern)) for pattern in written if "/" in pattern and not is_pattern(pattern)]
    slashed = [pattern.replace("\\", "/") for pattern in written]
    return list(dict.fromkeys(written + slashed + real))
