"""Deletes what the user wants forgotten from the history and every copy of it; the caller holds the scan lock."""

import glob
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from typing import TypeVar

import msgspec

from lessons import paths
from lessons.errors import Busy, LessonsError
from lessons.store import exports
from lessons.store.forget_scope import ForgetScope
from lessons.store.history import candidates, database, ledger, recovery, search, sessions, tags
from lessons.store.history.database import FAULTS, as_json, bring_up_to_date, texts

# Tables whose rows have a session, project, time and transcript.
_OWN = ("calls", "prompts", "hook_contexts", "stop_hooks", "tags", "diagnoses")
_ROWS = " UNION ALL ".join(f"SELECT session_id, project, time, source_id FROM {table}" for table in _OWN)
_COUNTED = (*_OWN, "messages", "candidates", "answers", "marks", "injections", "sessions", "sources")
_LISTED = "IN (SELECT value FROM json_each(?))"
_UNFINISHED = "forgetting"
_MAGIC = b"SQLite format 3\0"


class QuotedTexts(msgspec.Struct, frozen=True):
    """Texts that lessons quote as examples: whole commands, and texts that occur in other arguments or in an error."""

    commands: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()


NOTHING_QUOTED = QuotedTexts()


class Gone(msgspec.Struct):
    rows: dict[str, int] = {}
    first: str = ""
    last: str = ""
    touched: set[str] = set()  # sessions of which something is deleted
    sessions: set[str] = set()  # with nothing left
    folders: set[str] = set()  # in which its calls were made
    files: set[str] = set()  # transcripts with nothing left
    candidates: set[str] = set()  # every name of those with evidence there
    supported: set[str] = set()  # those with other evidence too
    quoted: set[str] = set()  # quoted texts that occur there
    still_said: set[str] = set()  # quoted texts that occur elsewhere too


_SETS = ("touched", "sessions", "folders", "files", "candidates", "supported", "quoted", "still_said")


_TO_MINE = "SELECT session_id FROM calls UNION SELECT session_id FROM prompts"
# What goes with deleted rows, of the sessions that lost some.
_DEPENDENT = (
    "diagnoses WHERE session_id {touched} AND tool_use_id NOT IN (SELECT tool_use_id FROM calls)",
    "episodes WHERE session_id {touched}",
    "corrections WHERE session_id {touched}",
    "earlier_names WHERE tool_use_id NOT IN (SELECT tool_use_id FROM calls)",
    "proposals",  # they may quote deleted rows, and are rebuilt
    # Pending results of calls that are not stored.
    """
marks WHERE (CASE kind WHEN 'result' THEN json_extract(row, '$[0]') ELSE session_id END) {touched}
AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.tool_use_id IN (marks.name, marks.row))
AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.session_id = marks.session_id AND marks.name IN (c.message_id, c.task_id))
""",
)


def delete(connection: sqlite3.Connection, scope: ForgetScope, quoted: QuotedTexts = NOTHING_QUOTED) -> Gone:
    """Deletes every row of the scope, and what depends on it; the caller rebuilds the search index."""

    def counts() -> dict[str, int]:
        return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in _COUNTED}

    before = counts()
    where, values = scope.condition()
    of_session, bounds = scope.condition(time="first_time")
    of_rows = f"FROM ({_ROWS}) WHERE {where}"
    named = f"SELECT session_id FROM sessions WHERE {of_session}"
    touched = texts(connection, f"{named} UNION SELECT session_id {of_rows}", [*bounds, *values])
    used = {row[0] for row in connection.execute(f"SELECT DISTINCT source_id {of_rows}", values)}
    fingerprints = texts(
        connection,
        f"SELECT fingerprint FROM tags WHERE {where} UNION SELECT fingerprint FROM evidence WHERE {where}",
        values * 2,
    )
    first, last = connection.execute(f"SELECT min(time), max(time) {of_rows} AND time <> ''", values).fetchone()
    gone = Gone(first=first or "", last=last or "", touched=touched)
    gone.folders = texts(connection, f"SELECT DISTINCT cwd FROM calls WHERE {where}", values)
    gone.candidates = _all_names(connection, fingerprints)
    gone.quoted = _quoted_in(connection, quoted, where, values)
    for table in (*_OWN, "messages"):
        connection.execute(f"DELETE FROM {table} WHERE {where}", values)
    evidence = connection.execute(f"DELETE FROM evidence WHERE {where}", values).rowcount
    gone.supported = _all_names(
        connection, fingerprints & texts(connection, "SELECT DISTINCT fingerprint FROM evidence")
    )
    gone.still_said = _quoted_in(connection, quoted, "1", [])
    _delete_candidates(connection, fingerprints)
    for dependent in _DEPENDENT:
        listed = "IN (SELECT value FROM json_each(:touched))"
        connection.execute(f"DELETE FROM {dependent.format(touched=listed)}", {"touched": as_json(sorted(touched))})
    sessions.add(connection, touched)
    connection.execute(f"DELETE FROM unmined WHERE session_id NOT IN ({_TO_MINE})")
    candidates.forget_answers(connection, gone.candidates)
    ledger.forget(connection, touched | set(ledger.forget_lines(connection, scope)))
    gone.sessions = _delete_sessions(connection, scope, touched)
    gone.files = _delete_sources(connection, scope, used, gone.sessions)
    after = counts()
    # Evidence of candidates that are made again from what is left is not counted.
    gone.rows = {name: before[name] - after[name] for name in _COUNTED} | {"evidence": evidence}
    if any(gone.rows.values()):
        database.put_fact(connection, _UNFINISHED, "1")
    return gone


def _all_names(connection: sqlite3.Connection, fingerprints: set[str]) -> set[str]:
    """Adds the names that a candidate would have without its first occurrence: decisions may use one of them."""
    sql = (
        f"SELECT a.value FROM candidates, json_each(iif(json_valid(document), document, '{{}}'), '$.aliases') AS a"
        f" WHERE fingerprint {_LISTED}"
    )
    return fingerprints | texts(connection, sql, (as_json(sorted(fingerprints)),))


def _quoted_in(connection: sqlite3.Connection, quoted: QuotedTexts, where: str, values: list[object]) -> set[str]:
    if quoted == NOTHING_QUOTED:
        return set()
    commands, parts = (as_json(sorted(each)) for each in (quoted.commands, quoted.parts))
    return texts(
        connection,
        f"SELECT DISTINCT command FROM calls WHERE {where} AND command {_LISTED}"
        " UNION SELECT value FROM json_each(?) AS part WHERE EXISTS (SELECT 1 FROM calls"
        f" WHERE {where} AND (instr(arguments, part.value) OR instr(error, part.value)))",
        [*values, commands, parts, *values],
    )


def _delete_candidates(connection: sqlite3.Connection, fingerprints: set[str]) -> None:
    """Deletes candidates that rest on deleted rows; those with other evidence are made again from what is left.

    Decisions of the user stay, without the texts they were about.
    """
    wanted = (as_json(sorted(fingerprints)),)
    tags.refresh(
        connection, texts(connection, f"SELECT DISTINCT session_id FROM tags WHERE fingerprint {_LISTED}", wanted)
    )
    connection.execute(
        f"DELETE FROM candidates WHERE fingerprint {_LISTED}"
        " AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.fingerprint = candidates.fingerprint)",
        wanted,
    )
    left = f"SELECT DISTINCT session_id FROM evidence WHERE fingerprint {_LISTED}"
    sessions.add(connection, texts(connection, left, wanted))
    # Mining makes its own again, and consolidation those of reviews.
    derived = f"(tier > 1 OR kind = 'review') AND fingerprint {_LISTED}"
    connection.execute(f"UPDATE candidates SET document = '{{}}' WHERE status <> 'candidate' AND {derived}", wanted)
    connection.execute(f"DELETE FROM candidates WHERE status = 'candidate' AND {derived}", wanted)


_LEFT_OF_SESSION = f"SELECT count(*), coalesce(min(time), ''), project FROM ({_ROWS}) WHERE session_id = ?"


def _delete_sessions(connection: sqlite3.Connection, scope: ForgetScope, touched: set[str]) -> set[str]:
    """Deletes sessions with nothing left, and updates the times and titles of the others."""
    gone: set[str] = set()
    for session_id in touched:
        project, last = connection.execute(
            "SELECT project, last_time FROM sessions WHERE session_id = ?", (session_id,)
        ).fetchone() or ("", "")
        left, first, place = connection.execute(_LEFT_OF_SESSION, (session_id,)).fetchone()
        if not left and scope.before and last >= scope.before:
            left, first, place = 1, last, project  # since then it has only text
        if not left:
            gone.add(session_id)
            connection.execute("DELETE FROM sessions WHERE session_id = ?", (session_id,))
        elif scope.before or scope.covers_folder(project):
            connection.execute(
                "UPDATE sessions SET project = ?, first_time = ?, title = '', title_rank = '' WHERE session_id = ?",
                (place, first, session_id),
            )
    return gone


def _delete_sources(connection: sqlite3.Connection, scope: ForgetScope, used: set[int], gone: set[str]) -> set[str]:
    """Deletes transcripts with nothing left; the recorded scope keeps them out of the next scan."""
    still_used = {row[0] for row in connection.execute(f"SELECT DISTINCT source_id FROM ({_ROWS})")}
    files: set[str] = set()
    for number, path, memory in connection.execute("SELECT id, path, memory FROM sources").fetchall():
        folders, names = _remembered(memory)
        is_named = bool(names & (gone | {scope.session})) or any(map(scope.covers_folder, folders))
        if number not in still_used and (number in used or is_named):
            files.add(path)
            connection.execute("DELETE FROM sources WHERE id = ?", (number,))
        elif is_named:  # it contains other sessions too, and is read from its beginning when it grows
            connection.execute("UPDATE sources SET memory = '' WHERE id = ?", (number,))
    return files


def _remembered(memory: str) -> tuple[set[str], set[str]]:
    try:
        state = msgspec.json.decode(memory, type=dict)
    except msgspec.MsgspecError:
        return set(), set()
    setting = state.get("setting") or {}
    folders, names = (
        {value for value in values if isinstance(value, str) and value}
        for values in (
            (state.get("firstCwd"), state.get("here"), setting.get("cwd")),
            (state.get("sessionId"), setting.get("session_id")),
        )
    )
    return folders, names


class GoneByCopy(msgspec.Struct):
    """The result for every copy of the history, by its path."""

    gone: dict[str, Gone]
    unreadable: list[str]  # damaged copies, whose content is unknown

    def together(self) -> Gone:
        """Combines all copies, without row counts; a session is complete only if no copy has any of it left."""
        everyone = list(self.gone.values())
        united = {name: set().union(*(getattr(each, name) for each in everyone)) for name in _SETS}
        united["sessions"] -= set().union(*(each.touched - each.sessions for each in everyone))
        first = min((each.first for each in everyone if each.first), default="")
        return Gone({}, first, max((each.last for each in everyone), default=""), **united)


def delete_rows(home: str, scope: ForgetScope, quoted: QuotedTexts = NOTHING_QUOTED, act: bool = True) -> GoneByCopy:
    """Returns what is deleted, or would be unless `act`; to act, the caller holds the lock of the backups."""

    def delete_in(path: str, connection: sqlite3.Connection) -> Gone:
        connection.execute("BEGIN IMMEDIATE")
        try:
            gone = delete(connection, scope, quoted)
            if act and any(gone.rows.values()):
                search.rebuild(connection)
            connection.execute("COMMIT" if act else "ROLLBACK")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        if act:
            _finish(home, path, connection)
        return gone

    return _everywhere(home, delete_in)


def finish(home: str) -> bool:
    """Finishes an interrupted `forget`: deleted rows whose bytes may still be in the file.

    Also removes leftovers of a killed rescue or restore, which contain rows and which nobody needs.
    """
    recovery.finish(home)
    for path in glob.glob(glob.escape(paths.history_file(home)) + ".res*"):
        os.unlink(path)
    found = _everywhere(home, lambda path, connection: _finish(home, path, connection))
    return any(gone.rows for gone in found.gone.values())


def _finish(home: str, path: str, connection: sqlite3.Connection) -> Gone:
    """Removes every byte of deleted rows from the file and the files beside it; only then is the work done."""
    if not database.get_fact(connection, _UNFINISHED):
        return Gone()
    if path == paths.history_file(home):
        from lessons.store.history.history import History  # which imports this module

        exports.write_scan_state(History(connection, home))
    connection.execute("VACUUM")
    if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        raise Busy(f"Another program is reading {path}: close it and run `lessons forget` again.")
    connection.execute("DELETE FROM facts WHERE name = ?", (_UNFINISHED,))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Gone(rows={"finished": 1})


def known_sessions(home: str) -> set[str]:

    def sessions_of(path: str, connection: sqlite3.Connection) -> Gone:
        others = " UNION ".join(f"SELECT session_id FROM {table}" for table in ("sessions", "messages", "injections"))
        return Gone(sessions=texts(connection, f"{others} UNION SELECT session_id FROM ({_ROWS})"))

    return {name for gone in _everywhere(home, sessions_of).gone.values() for name in gone.sessions}


def _everywhere(home: str, act: Callable[[str, sqlite3.Connection], Gone]) -> GoneByCopy:
    """Runs on the history and all its copies; records an unreadable copy, but the history itself must be readable."""
    main = paths.history_file(home)
    found = GoneByCopy({}, recovery.asides(home))
    if os.path.exists(main):
        with database.opened(home) as connection:
            try:
                found.gone[main] = act(main, connection)
            except sqlite3.OperationalError as fault:
                raise Busy(f"{main} cannot be changed now ({fault}). Fix that and try again.") from None
    done, faults = in_copies(home, act)
    return GoneByCopy(found.gone | done, [*found.unreadable, *faults])


_Result = TypeVar("_Result")


def in_copies(
    home: str, act: Callable[[str, sqlite3.Connection], _Result]
) -> tuple[dict[str, _Result], dict[str, Exception]]:
    """Runs on every copy of the history; returns the results by path, and why it failed on the others."""
    done: dict[str, _Result] = {}
    faults: dict[str, Exception] = {}
    for path in _copies(home):
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("PRAGMA secure_delete = ON")
                bring_up_to_date(connection, path)
                done[path] = act(path, connection)
        except Busy:
            raise
        except (*FAULTS, LessonsError) as fault:
            faults[path] = fault
    return done, faults


def _copies(home: str) -> list[str]:
    """Returns every SQLite file in the backups, whatever its name."""
    found = []
    for folder, _, names in os.walk(paths.backups_folder(home)):
        for path in (os.path.join(folder, name) for name in names):
            with suppress(OSError), open(path, "rb") as file:
                if file.read(len(_MAGIC)) == _MAGIC or path.endswith(".db"):
                    found.append(path)
    return sorted(found)
