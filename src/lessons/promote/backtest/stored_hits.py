"""Finds the calls that a rule fires on: stored ones, and new ones among calls added or changed since."""

import os
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256

import lessons
from lessons.errors import LessonsError
from lessons.match.rule import Rule
from lessons.store.history.history import History
from lessons.store.history.past_calls import EVERY_ROW, PastCall, Rows
from lessons.store.history.row_numbers import RowNumbers
from lessons.store.history.trigger_hits import Hits

NumberedHits = Iterator[tuple[int, PastCall]]
_PATTERNS = ("command", "content", "error", "folder", "path", "unless")  # of a rule
Find = Callable[[Rows, str], NumberedHits]  # checks some calls, since a moment


def with_stored(history: History, rule: Rule, find: Find, since: str = "", outcome: str = "") -> NumberedHits:
    """Returns what `find` returns for every call, or those with an outcome; checks only those that are not stored."""
    stored = history.trigger_hits.stored(name_of(rule)) if can_be_stored(history, rule) else None
    if stored is None:
        yield from (row for row in find(EVERY_ROW, since) if outcome in ("", row[1].outcome))
        return
    changed = history.trigger_hits.changed_since(stored.looked)
    again = {*changed}
    known = [number for number in stored.rows.all() if number not in again]
    yield from history.calls.of_rows(known, since, outcome)
    if changed or history.trigger_hits.extent().newest_call > stored.looked.newest_call:
        found = find(Rows(stored.looked.newest_call, changed), since)
        yield from (row for row in found if outcome in ("", row[1].outcome))


def store(history: History, rule: Rule, find: Find) -> None:
    """Checks every call without stored results, and stores the hits; `history` need not be open for writing."""
    if not can_be_stored(history, rule):
        return
    name, looked = name_of(rule), history.trigger_hits.extent()  # calls that a scan adds from now on count as new
    before = history.trigger_hits.stored(name)
    if before and before.looked == looked:
        return
    rows = RowNumbers(number for number, _ in with_stored(history, rule, find) if number <= looked.newest_call)
    try:
        with History.opened(history.home) as writer, writer.transaction():
            writer.trigger_hits.put(name, Hits(rows, looked))
    except (LessonsError, OSError):
        return  # the next call stores it


def can_be_stored(history: History, rule: Rule) -> bool:
    """Whether only the call decides: its known state depends on other calls."""
    return history.calls.is_whole and not rule.has_state


def name_of(rule: Rule, outcome: str = "") -> str:
    """Returns the same name for rules that fire on the same calls with this version; for one outcome, or any."""
    parts = [
        [(each.pattern, each.flags) for each in value] if name in _PATTERNS else value
        for name in Rule.__slots__
        for value in [getattr(rule, name)]
    ]
    surroundings = (lessons.__version__, sys.platform, os.environ.get("SHELL", ""), outcome)
    return sha256(repr((surroundings, parts)).encode(errors="surrogatepass")).hexdigest()
