"""The file `report.html`: the default output of `lessons report`; nothing reads it back."""

import os
from contextlib import suppress

from lessons import paths


def remove(home: str) -> None:
    """Deletes the file, because it quotes what is to be forgotten."""
    with suppress(FileNotFoundError):
        os.unlink(paths.report_file(home))
