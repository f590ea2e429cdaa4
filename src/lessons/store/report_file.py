"""The file `report.html`: what `lessons report` writes where no other place is named; nothing reads it back."""

import os
from contextlib import suppress

from lessons import paths


def remove(home: str) -> None:
    """What it quotes is to be forgotten."""
    with suppress(FileNotFoundError):
        os.unlink(paths.report_file(home))
