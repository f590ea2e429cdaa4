"""Writes the table `calls`: one row per call, however many transcripts contain it."""

import sqlite3
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from lessons.store.history import pending_results, search
from lessons.store.history.originals import Rank, rank
from lessons.store.history.rows import Call, Result
from lessons.store.history.sources import Source

_REQUEST_COLUMNS = (
    "agent session_id agent_id sidechain project cwd branch time model version tool program subcommand command path"
    " arguments hides_exit uuid message_id source_id segment position block copied"
).split()
_RESULT_COLUMNS = "outcome exit_code error error_fingerprint suspicious ended result_uuid task_id".split()
_INSERT = (
    f"INSERT INTO calls (id, tool_use_id, {', '.join(_REQUEST_COLUMNS)}, {', '.join(_RESULT_COLUMNS)})"
    f" VALUES ({', '.join('?' * (2 + len(_REQUEST_COLUMNS) + len(_RESULT_COLUMNS)))})"
)
_SET_REQUEST = f"UPDATE calls SET {', '.join(f'{name} = ?' for name in _REQUEST_COLUMNS)} WHERE id = ?"
_SET_RESULT = f"UPDATE calls SET {', '.join(f'{name} = ?' for name in _RESULT_COLUMNS)} WHERE id = ?"
_SELECT_KNOWN = """
SELECT c.id, c.tool_use_id, c.copied, c.session_id, s.path, s.generation, c.position, c.block,
       c.outcome, c.task_id, c.ended, c.result_uuid, c.error, c.hides_exit
FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value JOIN sources s ON s.id = c.source_id
"""
_NO_RESULT = Result("", "", "unknown", None, "", "", False, "", "", "")
_ORDER_OF_NO_RESULT = pending_results.order(_NO_RESULT)


class KnownCall(msgspec.Struct, gc=False):
    """Decides whether a copy of a stored call, or another result of it, replaces the stored one."""

    id: int
    rank: Rank
    order: pending_results.Order
    error: str
    hides_exit: bool


class WrittenCalls(NamedTuple):
    """The rows that a stretch refers to, and the ids of calls whose new result another record may still correct."""

    ids: set[int]
    unsettled: set[str]


def write(connection: sqlite3.Connection, source: Source, calls: list[Call], results: list[Result]) -> WrittenCalls:
    """Stores calls and their results, in any order."""
    if not calls and not results:
        return WrittenCalls(set(), set())
    ends = _best(results)
    asked: dict[str, Call] = {}
    for call in calls:
        other = asked.get(call.tool_use_id)
        if other is None or rank(call.origin, source, call.block) < rank(other.origin, source, other.block):
            asked[call.tool_use_id] = call
    known = _known(connection, asked.keys() | ends.keys())
    waiting = pending_results.take_pending(connection, [name for name in asked if name not in known])
    for name, result in waiting.items():
        ends[name] = pending_results.preferred(result, ends.get(name, result))
    touched = {call.id for call in known.values()}
    unsettled: set[str] = set()
    new: list[tuple[object, ...]] = []
    next_id = _next_id(connection)
    for name, call in asked.items():
        if name in known:
            _keep_original(connection, source, call, known[name])
            continue
        number = next_id + len(new)
        end = _without_false_suspicion(ends.pop(name, _NO_RESULT), call.hides_exit)
        new.append((number, name, *_request_values(call, source), *_result_values(end)))
        if pending_results.is_unsettled(end):
            unsettled.add(name)
    connection.executemany(_INSERT, new)
    for name, result in ends.items():
        if name not in known:
            pending_results.store_pending(connection, result)
        elif _store_result(connection, known[name], result) and pending_results.is_unsettled(result):
            unsettled.add(name)
    touched.update(range(next_id, next_id + len(new)))
    return WrittenCalls(touched, unsettled)


def _best(results: Iterable[Result]) -> dict[str, Result]:
    found: dict[str, Result] = {}
    for result in results:
        other = found.get(result.tool_use_id)
        found[result.tool_use_id] = result if other is None else pending_results.preferred(result, other)
    return found


def _known(connection: sqlite3.Connection, names: Iterable[str]) -> dict[str, KnownCall]:
    wanted = msgspec.json.encode(list(names)).decode()
    found = {}
    for number, name, *place, outcome, task_id, ended, uuid, error, hides in connection.execute(
        _SELECT_KNOWN, (wanted,)
    ):
        copied, session_id, path, generation, position, block = place
        where = Rank(bool(copied), session_id, path, generation, position, block)
        found[name] = KnownCall(
            number, where, pending_results.order_of(outcome, task_id, ended, uuid), error, bool(hides)
        )
    return found


def _next_id(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(id), 0) + 1 FROM calls").fetchone()[0])


def _keep_original(connection: sqlite3.Connection, source: Source, call: Call, known: KnownCall) -> None:
    place = rank(call.origin, source, call.block)
    if place < known.rank:
        connection.execute(_SET_REQUEST, (*_request_values(call, source), known.id))
        known.rank = place


def _store_result(connection: sqlite3.Connection, known: KnownCall, result: Result) -> bool:
    """Stores the result of a call that was stored before; returns whether it is a new one."""
    order = pending_results.order(result)
    if order >= known.order and known.order != _ORDER_OF_NO_RESULT:
        return False
    result = _without_false_suspicion(result, known.hides_exit)
    connection.execute(_SET_RESULT, (*_result_values(result), known.id))
    search.replace_error(connection, known.id, known.error, result.error)
    known.order, known.error = order, result.error
    return True


def _request_values(call: Call, source: Source) -> tuple[object, ...]:
    origin = call.origin
    # Spelled out: unpacking tuples into one doubles the cost. Plus signs convert booleans to numbers, which sqlite3
    # stores without looking for an adapter.
    return (
        source.agent,
        origin.session_id,
        origin.agent_id,
        +call.sidechain,
        origin.project,
        call.cwd,
        call.branch,
        origin.time,
        call.model,
        call.version,
        call.tool,
        call.program,
        call.subcommand,
        call.command,
        call.path,
        call.arguments,
        +call.hides_exit,
        origin.uuid,
        call.message_id,
        source.id,
        origin.segment,
        origin.position,
        call.block,
        +origin.copied,
    )


def _without_false_suspicion(end: Result, hides_exit: bool) -> Result:
    """Returns a success that looks like a failure as a success, unless a pipe or the like may hide the exit code."""
    if end.suspicious and not hides_exit:
        return msgspec.structs.replace(end, suspicious=False, error="", error_fingerprint="")
    return end


def _result_values(end: Result) -> tuple[object, ...]:
    how = (end.outcome, end.exit_code, end.error, end.error_fingerprint, +end.suspicious)
    return *how, end.ended, end.uuid, end.task_id


def put_fingerprints(connection: sqlite3.Connection, fingerprint: Callable[[str], str]) -> None:
    """Recomputes the fingerprints of all errors after a change of version."""
    connection.create_function("fingerprint_of", 1, fingerprint, deterministic=True)
    connection.execute(
        "UPDATE calls SET error_fingerprint = fingerprint_of(error)"
        " WHERE error <> '' AND error_fingerprint <> fingerprint_of(error)"
    )
