"""Identifies what in a file belongs to a scope to forget."""

import msgspec

from lessons.store.forget.scope import ForgetScope
from lessons.store.history.forget_rows import Gone


class Traces(msgspec.Struct, frozen=True):
    """What the user asked for, and what the history says about it."""

    scope: ForgetScope
    deleted: Gone

    @property
    def sessions(self) -> set[str]:
        """Sessions that are deleted completely."""
        return (self.deleted.sessions | {self.scope.session}) - {""}

    @property
    def touched(self) -> set[str]:
        """Sessions of which something is deleted."""
        return self.deleted.touched | self.sessions

    @property
    def texts(self) -> set[str]:
        """Texts that lessons quote and that occur nowhere else."""
        return self.deleted.quoted - self.deleted.still_said

    @property
    def unsupported(self) -> set[str]:
        """Candidates without any evidence left."""
        return self.deleted.candidates - self.deleted.supported

    def is_of_session(self, session: str) -> bool:
        return session in self.sessions

    def folders(self) -> set[str]:
        """Returns the folders of a project, all in which its calls were made, and those between."""
        found = set(self.scope.folders)
        for folder in self.deleted.folders if self.scope.folders else ():
            while folder and folder not in found and self.scope.covers_folder(folder):
                found.add(folder)
                folder = folder.replace("\\", "/").rstrip("/").rpartition("/")[0]
        # A work tree elsewhere is a separate project.
        return found | (self.deleted.folders if self.scope.folders else set())
