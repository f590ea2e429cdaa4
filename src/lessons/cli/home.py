"""The data home that every verb works on."""

import os

from lessons import paths
from lessons.store.files import make_private_folders


def data_home() -> str:
    """Returns the data home, created with a README; only verbs that write should call this."""
    home = paths.data_home()
    readme = os.path.join(home, "README.txt")
    if not os.path.exists(readme):
        make_private_folders(home)
        with open(os.open(readme, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(_README)
    return home


_README = """\
This folder belongs to the command `lessons`.

lessons.json and config.json are yours to edit; after editing run `lessons build` (or start a new session).
Everything else is written by the program. `lessons doctor` checks all of it.
"""
