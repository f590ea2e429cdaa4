"""Checks config.json."""

from lessons import config
from lessons.check import Check
from lessons.errors import LessonsError


def check(home: str) -> Check:
    try:
        config.load(home)
        unknown = config.warnings(home)
    except LessonsError as wrong:
        return Check("config.json", False, str(wrong), "Fix it. Until then the last build stays in use.")
    return Check("config.json", True, " ".join(unknown) or "valid.")
