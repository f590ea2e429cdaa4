"""What a person does not want in the history in, whether a record may be stored out."""

import os
from fnmatch import fnmatchcase

import msgspec

from lessons.store.forgotten import Forgotten


class Consent(msgspec.Struct, frozen=True):
    """Excluded projects and forgotten pasts."""

    excluded: tuple[str, ...] = ()
    forgotten: Forgotten = Forgotten()

    @property
    def is_needed(self) -> bool:
        """Nearly always everything is allowed, and nobody need be asked."""
        return bool(self.excluded) or self.forgotten != Forgotten()

    def refuses(self, session_id: str, project: str, cwd: str, time: str) -> bool:
        """A setting excludes the folder, as a path above it or as a pattern; or the past was forgotten."""
        if any(_covers(pattern, folder) for pattern in self.excluded for folder in (project, cwd)):
            return True
        return self.forgotten.covers(session_id, project, time)


def consent(excluded: list[str], forgotten: Forgotten) -> Consent:
    return Consent(tuple(os.path.expanduser(pattern).rstrip("/") or "/" for pattern in excluded), forgotten)


def _covers(pattern: str, folder: str) -> bool:
    if any(sign in pattern for sign in "*?["):
        return fnmatchcase(folder, pattern) or fnmatchcase(folder, pattern + "/*")
    return folder == pattern or folder.startswith(pattern.rstrip("/") + "/")
