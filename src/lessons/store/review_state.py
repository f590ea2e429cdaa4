"""The file `review-state.json`: which candidates the user skipped, so that they come last the next time."""

import json
from collections.abc import Collection
from datetime import UTC, datetime

from lessons import paths
from lessons.store import atomic
from lessons.store.lock import locked

_SKIPPED = "skipped"


def skipped(home: str) -> dict[str, str]:
    """Returns fingerprint -> time; a missing or damaged file counts as empty, because no decision is lost."""
    try:
        with open(paths.review_state_file(home), encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    entries = document.get(_SKIPPED) if isinstance(document, dict) else None
    if not isinstance(entries, dict):
        return {}
    return {mark: when for mark, when in entries.items() if isinstance(when, str)}


def skip(home: str, fingerprints: Collection[str]) -> None:
    _change(home, dict.fromkeys(fingerprints, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"), ())


def unskip(home: str, fingerprints: Collection[str]) -> None:
    """Puts them back in their own place."""
    if not skipped(home).keys().isdisjoint(fingerprints):
        _change(home, {}, fingerprints)


def _change(home: str, added: dict[str, str], removed: Collection[str]) -> None:
    path = paths.review_state_file(home)
    with locked(path):
        entries = {mark: when for mark, when in skipped(home).items() if mark not in removed}
        atomic.write_text(path, json.dumps({_SKIPPED: {**entries, **added}}, indent=2) + "\n")
