"""Anchors a bare word used as a command pattern: `tsc` also matches `tscheck`, so it is stored as a whole word."""

import re
from collections.abc import Iterator

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
        stored = f"The command pattern '{pattern}' is a bare word and is stored as '{_anchored(pattern)}'."
        if isinstance(triggers, dict) and triggers.get("matchOn") == "invocation":
            yield stored  # it matches at the start of a command only
        else:
            yield f"{stored} To match the program alone, use '^{pattern}\\b' with --match-on invocation."


def _anchored(pattern: object) -> object:
    return rf"\b{pattern}\b" if _is_bare(pattern) else pattern


def _is_bare(pattern: object) -> bool:
    return isinstance(pattern, str) and _BARE_WORD.fullmatch(pattern) is not None
