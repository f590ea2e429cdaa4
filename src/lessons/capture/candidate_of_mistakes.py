"""All episodes of a history in, one candidate for each mistake out: tier 2."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from lessons.capture.grouping import fingerprint, grouped, most_common
from lessons.capture.wording import Later, words
from lessons.episode import Episode
from lessons.store.history import episodes as found
from lessons.store.history.episodes import Row
from lessons.store.history.mined import Mined

PROTOCOL = "protocol"
_UNSEEN = ("telling-error", PROTOCOL)
_LOWEST, _HIGHEST = 0.4, 0.6


class Made(NamedTuple):
    """The candidates that are to be written anew, and the names of all that something speaks for."""

    written: list[Mined]
    standing: set[str]


def candidates(connection: sqlite3.Connection, touched: set[str], known: dict[str, set[str]]) -> Made:
    """Those with an occurrence among `touched`, or with others than are known, are made anew."""
    made = Made([], set())
    if not touched:
        return Made([], set(known))
    for (program, said), rows in grouped(found.every(connection), lambda row: (_place(row), row.signature)):
        name = fingerprint("fix-", program, said)
        made.standing.add(name)
        calls = {row.tool_use_id for row in rows}
        if calls & touched or calls != known.get(name):
            made.written.append(_candidate(name, rows, found.whole(connection, rows)))
    return made


def _place(row: Row) -> str:
    """The agent's own rules are kept apart from everything else."""
    return f"{PROTOCOL} {row.program}" if row.kind == PROTOCOL else row.program


def _candidate(name: str, rows: Sequence[Row], group: Sequence[Episode]) -> Mined:
    later = Later(sum(row.later_worked for row in rows), sum(row.later_tried for row in rows))
    text = words(group, later if later.tried else None)
    shown = [row.kind for row in rows if row.kind not in _UNSEEN] or [row.kind for row in rows]
    document = {
        "tool": most_common([episode.failure.tool for episode in group]),
        "family": most_common([row.family for row in rows]),
        **msgspec.to_builtins(text),
        "tags": [],
        "callsLost": sum(row.calls_lost for row in rows),
        "minutesLost": round(sum(row.seconds_lost for row in rows) / 60, 2),
        "fixed": sum(bool(row.fix_tool_use_id) for row in rows),
        "hang": any("timed out" in episode.failure.error for episode in group),
        "userCorrection": False,
    }
    calls = [(row.tool_use_id, row.fix_tool_use_id) for row in rows]
    encoded = msgspec.json.encode(document).decode()
    return Mined(name, most_common(shown), encoded, _confidence(rows, later), calls)


def _confidence(rows: Sequence[Row], later: Later) -> float:
    """The more speaks for it: a telling error, a call that worked, other sessions, the same again later."""
    value = _LOWEST
    value += 0.07 if any(row.told for row in rows) else 0.0
    value += 0.05 if any(row.fix_tool_use_id for row in rows) else 0.0
    value += 0.03 if len(rows) > 1 else 0.0
    value += 0.03 if len({row.session_id for row in rows}) > 1 else 0.0
    value += 0.02 if later.worked and later.worked == later.tried else 0.0
    return round(min(value, _HIGHEST), 2)
