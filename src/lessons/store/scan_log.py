"""The file `scan.log`: one line for each event of a background scan; the oldest ones are dropped."""

import os
from contextlib import suppress
from datetime import UTC, datetime

from lessons import paths
from lessons.store.append import append_line
from lessons.store.atomic import replace
from lessons.store.private_folder import make_private_folders

_LARGEST_LOG = 256 * 1024


def record(home: str, what: str) -> None:
    """Never raises: nobody could read the error."""
    path = paths.scan_log_file(home)
    with suppress(OSError):
        make_private_folders(home)
        with suppress(FileNotFoundError):
            if os.stat(path).st_size > _LARGEST_LOG:
                replace(path, path + ".1")
        append_line(path, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {' '.join(what.split())[:2000]}")


def read(home: str) -> list[str]:
    """Returns the lines so far, oldest first."""
    try:
        with open(paths.scan_log_file(home), encoding="utf-8", errors="replace") as file:
            return [line.rstrip("\n") for line in file if line.strip()]
    except OSError:
        return []
