"""Which findings fail now, by what was warned about before.

The first sighting of a lesson in a file warns. The same again fails, but only after the grace period and in another
session: whoever was just warned, and commits and pushes in one go, is not stopped by their own warning.
"""

from collections.abc import Collection, Mapping
from typing import Literal

from lessons.store.project_state.timestamps import seconds

Level = Literal["warn", "fail"]
GRACE_SECONDS = 4 * 3600


def key_of(file: str, slug: str) -> str:
    return f"{file}::{slug}"


def level_of(first_warned: str | None, now: float, session_began: float | None) -> Level:
    """`session_began` is that of the session that runs now; None if nobody knows: then nothing fails."""
    warned = seconds(first_warned) if first_warned else 0.0
    if not warned or session_began is None:
        return "warn"
    return "fail" if now - warned >= GRACE_SECONDS and warned < session_began else "warn"


def after_check(
    warned: Mapping[str, str], seen: Collection[str], files: Collection[str], slugs: Collection[str], now: str
) -> dict[str, str]:
    """What is remembered now: new sightings with this time, old ones with theirs, without those that were fixed.

    `files` and `slugs` were looked at; of others nobody knows whether they were fixed.
    """
    kept = {key: time for key, time in warned.items() if key in seen or not _was_checked(key, files, slugs)}
    return {**dict.fromkeys(seen, now), **kept}


def _was_checked(key: str, files: Collection[str], slugs: Collection[str]) -> bool:
    file, _, slug = key.rpartition("::")
    return file in files and slug in slugs
