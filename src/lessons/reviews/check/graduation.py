"""Decides which findings fail, by earlier warnings.

The first time a lesson fires in a file it warns. Later it fails, but only after the grace period and in another
session: a user who was just warned, and commits and pushes at once, is not stopped by that warning.
"""

from collections.abc import Collection, Mapping
from typing import Literal

from lessons.store.project_state.timestamps import seconds

Level = Literal["warn", "fail"]
GRACE_SECONDS = 4 * 3600


def key_of(file: str, slug: str) -> str:
    return f"{file}::{slug}"


def level_of(first_warned: str | None, now: float, session_began: float | None) -> Level:
    """`session_began` is the start of the current session; None if unknown: then nothing fails."""
    warned = seconds(first_warned) if first_warned else 0.0
    if not warned or session_began is None:
        return "warn"
    return "fail" if now - warned >= GRACE_SECONDS and warned < session_began else "warn"


def after_check(
    warned: Mapping[str, str], seen: Collection[str], files: Collection[str], slugs: Collection[str], now: str
) -> dict[str, str]:
    """Returns the new state: new findings with this time, old ones with theirs, without fixed ones.

    `files` and `slugs` were checked; for others it is unknown whether they were fixed.
    """
    kept = {key: time for key, time in warned.items() if key in seen or not _was_checked(key, files, slugs)}
    return {**dict.fromkeys(seen, now), **kept}


def _was_checked(key: str, files: Collection[str], slugs: Collection[str]) -> bool:
    file, _, slug = key.rpartition("::")
    return file in files and slug in slugs
