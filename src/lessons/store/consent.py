"""Whether a record may be stored, by what the user excluded."""

import os

import msgspec

from lessons import config
from lessons.match.call import comparable
from lessons.store import forgotten as past
from lessons.store.excluded import covers, is_pattern
from lessons.store.forgotten import Forgotten, digest


class Consent(msgspec.Struct, frozen=True):
    """Excluded projects and forgotten pasts."""

    excluded: tuple[str, ...] = ()
    forgotten: Forgotten = Forgotten()

    @property
    def name(self) -> str:
        """The same for the same wishes: when they change, what they kept out is looked at again."""
        wishes = (self.excluded, self.forgotten.before, sorted(self.forgotten.sessions))
        return digest(repr((*wishes, sorted(self.forgotten.projects.items()))))

    @property
    def is_needed(self) -> bool:
        """Nearly always everything is allowed, and nobody need be asked."""
        return bool(self.excluded) or self.forgotten != Forgotten()

    def refuses(self, session_id: str, project: str, cwd: str, time: str) -> bool:
        """A setting excludes the folder (a path above it, its name, a pattern), or the past was forgotten."""
        if any(covers(pattern, folder) for pattern in self.excluded for folder in (project, cwd)):
            return True
        return self.forgotten.covers(session_id, project, time)


def consent_of(home: str) -> Consent:
    """What the person has chosen for this data home."""
    excluded = config.get(home, "excludeProjects")
    assert isinstance(excluded, list)
    return consent(excluded, past.read(home))


def consent(excluded: list[str], forgotten: Forgotten) -> Consent:
    return Consent(tuple(patterns_of(excluded)), forgotten)


def patterns_of(excluded: list[str]) -> list[str]:
    """Each in the spelling of the folders it is compared with."""
    written = [comparable(os.path.expanduser(pattern)).rstrip("/") or "/" for pattern in excluded]
    # A client writes the real path of a folder, a person often that of a link to it.
    real = [comparable(os.path.realpath(pattern)) for pattern in written if "/" in pattern and not is_pattern(pattern)]
    slashed = [pattern.replace("\\", "/") for pattern in written]
    return list(dict.fromkeys(written + slashed + real))
