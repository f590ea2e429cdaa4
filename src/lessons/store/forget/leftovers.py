"""Removes half-written files of killed processes: they contain whatever was being written, and nobody needs them."""

import glob
import os
import shutil
import time
from contextlib import suppress

from lessons import paths
from lessons.store.home_files import existing

# Writing a file takes far less.
_WRITING_SECONDS = 60


def remove(home: str) -> None:
    """The caller holds the lock of the backups, so nobody is writing an unfinished one."""
    for folder in glob.glob(f"{glob.escape(paths.backups_folder(home))}/.unfinished-*"):
        shutil.rmtree(folder, ignore_errors=True)
    for path in existing(home, "left over"):
        with suppress(OSError):
            if time.time() - os.lstat(path).st_mtime > _WRITING_SECONDS:
                os.unlink(path)
