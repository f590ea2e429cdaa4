"""What a person does not want in the history in, whether a record may be stored out."""

import os
from fnmatch import fnmatchcase

import msgspec

from lessons.match.call import comparable, folder_key
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
        if any(_covers(pattern, folder) for pattern in self.excluded for folder in (project, cwd)):
            return True
        return self.forgotten.covers(session_id, project, time)


def consent(excluded: list[str], forgotten: Forgotten) -> Consent:
    written = [comparable(os.path.expanduser(pattern)).rstrip("/") or "/" for pattern in excluded]
    # A client writes the real path of a folder, a person often that of a link to it.
    real = [comparable(os.path.realpath(pattern)) for pattern in written if "/" in pattern and not _is_pattern(pattern)]
    slashed = [pattern.replace("\\", "/") for pattern in written]
    return Consent(tuple(dict.fromkeys(written + slashed + real)), forgotten)


def _covers(pattern: str, folder: str) -> bool:
    folder = comparable(folder)
    if _is_pattern(pattern):
        return fnmatchcase(folder, pattern) or fnmatchcase(folder, pattern + "/*")
    if "/" not in pattern:
        return pattern in folder.split("/")  # the name of a folder, wherever it lies
    return folder_key(folder).startswith(folder_key(pattern))


def _is_pattern(text: str) -> bool:
    return any(sign in text for sign in "*?[")
