"""Creates folders of the data home: every missing level becomes private, whatever the umask."""

import os

from lessons.system import make_private


def make_private_folders(path: str) -> None:
    """Creates the folders; existing ones keep their mode. Raises OSError if a file is in the way."""
    missing = []
    while path and not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path) if os.path.dirname(path) != path else ""
    for folder in reversed(missing):
        try:
            make_private(folder)
        except FileExistsError:  # another process was faster, unless it is not a folder
            if not os.path.isdir(folder):
                raise
