"""The data home that every verb works on."""

import os

from lessons import paths


def data_home() -> str:
    """The data home, created with a README; only verbs that write should need it."""
    home = paths.data_home()
    readme = os.path.join(home, "README.txt")
    if not os.path.exists(readme):
        os.makedirs(home, mode=0o700, exist_ok=True)
        with open(readme, "w", encoding="utf-8") as file:
            file.write(_README)
    return home


_README = """\
This folder belongs to the command `lessons`.

lessons.json and config.json are yours to edit; after editing run `lessons build` (or start a new session).
Everything else is written by the program. `lessons doctor` checks all of it.
"""
