"""Checks that the data home exists and is writable."""

import os

from lessons.check import Check


def check(home: str) -> Check:
    if not os.path.isdir(home):
        return Check("data home", False, f"{home} does not exist.", "Run `lessons install` or `lessons add`.")
    if not os.access(home, os.W_OK):
        return Check("data home", False, f"{home} is not writable.", "Give yourself write permission.")
    return Check("data home", True, home)
