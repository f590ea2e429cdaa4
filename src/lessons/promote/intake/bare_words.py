"""Anchors a bare word used as a command pattern: `tsc` also matches `tscheck`, so it is stored as a whole word."""

import re
from collections.abc import Iterator

from lessons.model import shown

_FIELD = "commandPatterns"
# Begins and ends like a word; an option such as --force is not one, and few other texts contain it.
_BARE_WORD = re.compile(r"\w|\w[\w-]*\w", re.ASCII)


def anchored(document: dict[str, object]) -> dict[str, object]:
    """Returns the record with each bare word among its command patterns as a whole word."""
    triggers = document.get("triggers")
    patterns = triggers.get(_FIELD) if isinstance(triggers, dict) else None
    if not isinstance(triggers, dict) or not isinstance(patterns, list) or not any(map(_is_bare, patterns)):
        return document
    return {**document, "triggers": {**triggers, _FIELD: [_anchored(pattern) for pattern in patterns]}}


def bare_word_warnings(document: dict[str, object]) -> Iterator[str]:
    """Yields one sentence for each pattern of a record that is stored differently."""
    triggers = document.get("triggers")
    patterns = triggers.get(_FIELD) if isinstance(triggers, dict) else None
    for pattern in filter(_is_bare, patterns if isinstance(patterns, list) else []):
        stored = f"triggers.{_FIELD} has {shown(pattern)}, a bare word, and stores it as {shown(_anchored(pattern))}"
        yield f'{stored}: for the program alone write "^{pattern}\\\\b" and set triggers.matchOn to "invocation".'


def _anchored(pattern: object) -> object:
    return rf"\b{pattern}\b" if _is_bare(pattern) else pattern


def _is_bare(pattern: object) -> bool:
    return isinstance(pattern, str) and _BARE_WORD.fullmatch(pattern) is not None
