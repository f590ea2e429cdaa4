"""Updates the digests of a backup after its files were cleaned."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256

from lessons.errors import LessonsError
from lessons.store.history import backups


@contextmanager
def kept_right(home: str) -> Iterator[None]:
    """Keeps a file that was damaged before marked as damaged. The caller holds the lock of the backups."""
    sound = {each.name: _sound_files(home, each) for each in backups.listing(home)}
    yield
    for each in backups.listing(home):
        digests = {name: _digest(home, each, name) for name in sound.get(each.name, ())}
        if digests.items() - each.digests.items():
            each.digests |= digests
            backups.describe(home, each)


def _sound_files(home: str, backup: backups.Backup) -> list[str]:
    return [name for name, digest in backup.digests.items() if _digest(home, backup, name) == digest]


def _digest(home: str, backup: backups.Backup, name: str) -> str:
    with suppress(OSError, LessonsError):
        path = os.path.join(backups.folder_of(home, backup.name), os.path.basename(name))
        with open(path, "rb") as file:
            return sha256(file.read()).hexdigest()
    return ""
