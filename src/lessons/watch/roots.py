"""The folders to watch, of some agents or of all."""

import os
from collections.abc import Sequence

from lessons.capture import run
from lessons.capture.discover import Root
from lessons.errors import Refused


def roots_of(home: str, agents: Sequence[str], folders: list[str]) -> list[Root]:
    """Returns the given folders, or the transcript folders of the agents; skips missing ones."""
    for folder in folders:
        if not os.path.isdir(folder):
            raise Refused(f"{folder} is not a folder: give a folder with transcripts.")
    found = run.roots_of(home, folders, agents)
    return [root._replace(folder=os.path.realpath(root.folder)) for root in found if os.path.isdir(root.folder)]
