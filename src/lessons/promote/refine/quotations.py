"""Finds the calls whose words an answer repeats, so that `forget` can delete both."""

import re
from collections.abc import Iterable, Sequence

from lessons.store.history.past_calls import StoredCall

_WORD = re.compile(r"[^\s'\"`;|&(),]{4,}")
_MOST_CALLS = 50


def quoted_in(texts: Iterable[str], calls: Sequence[StoredCall]) -> list[list[str]]:
    """Returns for each word of calls one call per folder, the newest given; each such list once."""
    words = {word.rstrip(".:") for text in texts for word in _WORD.findall(text)}
    found = (_calls_with(word, calls) for word in sorted(words) if word)
    return [list(names) for names in dict.fromkeys(filter(None, found))]


def _calls_with(word: str, calls: Sequence[StoredCall]) -> tuple[str, ...]:
    by_folder: dict[str, str] = {}
    for call in calls:
        if word in call.command or word in call.arguments or word in call.error:
            by_folder.setdefault(call.cwd, call.tool_use_id)
    return tuple(list(by_folder.values())[:_MOST_CALLS])
