"""Deletes what the user wants forgotten from the history and every copy of it; the caller holds the scan lock."""

import glob
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress

import msgspec

from lessons import paths
from lessons.errors import Busy, LessonsError
from lessons.store import exports
from lessons.store.forget_scope import ForgetScope
from lessons.store.history import answers, candidates, database, injections, ledger, recovery, search, sessions
from lessons.store.history.database import as_json
from lessons.store.history.schema import bring_up_to_date

# Tables whose rows have a session, project and time.
_OWN = ("calls", "prompts", "hook_contexts", "stop_hooks", "tags", "diagnoses")
_UNFINISHED = "forgetting"
_WITHOUT_CALL = """
NOT EXISTS (SELECT 1 FROM calls c WHERE c.tool_use_id IN (marks.name, marks.row))
AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.session_id = marks.session_id AND marks.name IN (c.message_id, c.task_id))
"""
_LEFT_OF_SESSION = (
    "SELECT count(*), coalesce(min(time), ''), project FROM ("
    + " UNION ALL ".join(f"SELECT time, project FROM {table} WHERE session_id = ?" for table in _OWN)
    + ")"
)
_USED = " UNION ".join(f"SELECT source_id FROM {table}" for table in _OWN)


class Quoted(msgspec.Struct, frozen=True):
    """Texts that lessons quote as examples: whole commands, and texts that occur in other arguments or in an error."""

    commands: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()


NOTHING_QUOTED = Quoted()


class Gone(msgspec.Struct):
    """What was deleted, or would be."""

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


class _NamedSetting(msgspec.Struct):
    """The part of a transcript's setting that names something."""

    session_id: str = ""
    cwd: str = ""


class _Named(msgspec.Struct, rename="camel"):
    """The part of a transcript's memory that names something."""

    first_cwd: str = ""
    here: str = ""
    session_id: str = ""
    setting: _NamedSetting | None = None


SETS = ("touched", "sessions", "folders", "files", "candidates", "supported", "quoted", "still_said")


def delete(connection: sqlite3.Connection, scope: ForgetScope, quoted: Quoted = NOTHING_QUOTED) -> Gone:
    """Deletes every row of the scope, and what depends on it; the caller rebuilds the search index."""
    where, values = scope.condition()
    gone = Gone()
    touched = gone.touched = _touched(connection, scope)
    used = _values(connection, "source_id", _OWN, scope)
    marks = _values(connection, "fingerprint", ("tags", "evidence"), scope)
    gone.folders = _values(connection, "cwd", ("calls",), scope)
    gone.candidates = _all_names(connection, marks)
    gone.quoted = _quoted_in(connection, quoted, where, values)
    gone.first, gone.last = _span(connection, scope)
    for table in (*_OWN, "messages", "evidence"):
        gone.rows[table] = connection.execute(f"DELETE FROM {table} WHERE {where}", values).rowcount
    gone.rows["diagnoses"] += _diagnoses(connection, touched)
    gone.supported = _all_names(connection, marks & _supported(connection))
    gone.still_said = _quoted_in(connection, quoted, "1", [])
    gone.rows["candidates"] = _candidates(connection, marks) + drop_mined(connection, marks, touched)
    connection.execute("DELETE FROM proposals")  # they may quote deleted rows, and are rebuilt
    gone.rows["answers"] = answers.forget(connection, gone.candidates)
    gone.rows["marks"] = _marks(connection, touched)
    logged = injections.forget(connection, scope)
    gone.rows["injections"] = len(logged)
    ledger.forget(connection, touched | set(logged))
    gone.sessions = _sessions(connection, scope, touched)
    gone.rows["sessions"] = len(gone.sessions)
    gone.files = _sources(connection, scope, used, gone.sessions)
    gone.rows["sources"] = len(gone.files)
    if any(gone.rows.values()):
        database.put_fact(connection, _UNFINISHED, "1")
    return gone


def is_unfinished(connection: sqlite3.Connection) -> bool:
    """Whether rows were deleted whose bytes may still be in the file."""
    return bool(database.get_fact(connection, _UNFINISHED))


def mark_finished(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM facts WHERE name = ?", (_UNFINISHED,))


def _diagnoses(connection: sqlite3.Connection, touched: set[str]) -> int:
    """Deletes diagnoses of deleted calls, wherever and whenever they were written."""
    return connection.execute(
        "DELETE FROM diagnoses WHERE session_id IN (SELECT value FROM json_each(?))"
        " AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.tool_use_id = diagnoses.tool_use_id)",
        (as_json(sorted(touched)),),
    ).rowcount


def _values(connection: sqlite3.Connection, column: str, tables: Sequence[str], scope: ForgetScope) -> set[str]:
    """Returns the values of this column in the rows of the scope."""
    where, values = scope.condition()
    sql = " UNION ".join(f"SELECT {column} FROM {table} WHERE {where}" for table in tables)
    return {str(row[0]) for row in connection.execute(sql, values * len(tables))}


def _touched(connection: sqlite3.Connection, scope: ForgetScope) -> set[str]:
    """Returns every session of which something is deleted."""
    where, values = scope.condition(time="first_time")
    named = connection.execute(f"SELECT session_id FROM sessions WHERE {where}", values)
    return {row[0] for row in named} | _values(connection, "session_id", _OWN, scope)


def _all_names(connection: sqlite3.Connection, marks: set[str]) -> set[str]:
    """Adds the names that a candidate would have without its first occurrence: decisions may use one of them."""
    rows = connection.execute(
        "SELECT fingerprint, iif(json_valid(document), json_extract(document, '$.aliases'), NULL) FROM candidates"
        " WHERE fingerprint IN (SELECT value FROM json_each(?))",
        (as_json(sorted(marks)),),
    )
    return marks.union(*(msgspec.json.decode(aliases or "[]", type=list[str]) for _, aliases in rows))


def _supported(connection: sqlite3.Connection) -> set[str]:
    return {str(row[0]) for row in connection.execute("SELECT DISTINCT fingerprint FROM evidence")}


def _quoted_in(connection: sqlite3.Connection, quoted: Quoted, where: str, values: list[object]) -> set[str]:
    """Returns the quoted texts that occur in calls under this condition."""
    if quoted == NOTHING_QUOTED:
        return set()
    commands, parts = (as_json(sorted(each)) for each in (quoted.commands, quoted.parts))
    found = connection.execute(
        f"SELECT DISTINCT command FROM calls WHERE {where} AND command IN (SELECT value FROM json_each(?))"
        " UNION SELECT value FROM json_each(?) AS part WHERE EXISTS (SELECT 1 FROM calls"
        f" WHERE {where} AND (instr(arguments, part.value) OR instr(error, part.value)))",
        [*values, commands, parts, *values],
    )
    return {str(row[0]) for row in found}


def _span(connection: sqlite3.Connection, scope: ForgetScope) -> tuple[str, str]:
    where, values = scope.condition()
    parts = " UNION ALL ".join(
        f"SELECT min(nullif(time, '')) AS first, max(time) AS last FROM {table} WHERE {where}" for table in _OWN
    )
    row = connection.execute(f"SELECT min(first), max(last) FROM ({parts})", values * len(_OWN)).fetchone()
    return row[0] or "", row[1] or ""


def _candidates(connection: sqlite3.Connection, marks: set[str]) -> int:
    """Deletes those without evidence, and rebuilds the others from what is left: they may quote deleted rows."""
    wanted = as_json(sorted(marks))
    before = _count(connection, "candidates")
    left = connection.execute(
        "SELECT DISTINCT session_id FROM tags WHERE fingerprint IN (SELECT value FROM json_each(?))", (wanted,)
    )
    candidates.refresh(connection, {row[0] for row in left.fetchall()})
    connection.execute(
        "DELETE FROM candidates WHERE fingerprint IN (SELECT value FROM json_each(?))"
        " AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.fingerprint = candidates.fingerprint)",
        (wanted,),
    )
    return before - _count(connection, "candidates")


def drop_mined(connection: sqlite3.Connection, marks: set[str], touched: set[str]) -> int:
    """Deletes what was mined from deleted rows; the next mining rebuilds it from the sessions that are left."""
    wanted = as_json(sorted(marks))
    left = connection.execute(
        "SELECT DISTINCT session_id FROM evidence WHERE fingerprint IN (SELECT value FROM json_each(?))", (wanted,)
    )
    sessions.add(connection, {row[0] for row in left.fetchall()} | touched)
    connection.execute(
        "DELETE FROM unmined"
        " WHERE session_id NOT IN (SELECT session_id FROM calls UNION SELECT session_id FROM prompts)"
    )
    connection.executemany("DELETE FROM episodes WHERE session_id = ?", [(name,) for name in touched])
    connection.executemany("DELETE FROM corrections WHERE session_id = ?", [(name,) for name in touched])
    connection.execute(
        "DELETE FROM earlier_names WHERE NOT EXISTS"
        " (SELECT 1 FROM calls c WHERE c.tool_use_id = earlier_names.tool_use_id)"
    )
    # Consolidation rebuilds those of reviews from the entries that are left.
    mined_ones = "(tier > 1 OR kind = 'review') AND fingerprint IN (SELECT value FROM json_each(?))"
    # Decisions of the user are kept, without the texts they were about.
    connection.execute(
        f"UPDATE candidates SET document = '{{}}' WHERE status <> 'candidate' AND {mined_ones}", (wanted,)
    )
    return connection.execute(f"DELETE FROM candidates WHERE status = 'candidate' AND {mined_ones}", (wanted,)).rowcount


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def _marks(connection: sqlite3.Connection, touched: set[str]) -> int:
    """Deletes pending results of calls that are not stored."""
    wanted = as_json(sorted(touched))
    return connection.execute(
        "DELETE FROM marks WHERE (CASE kind WHEN 'result' THEN json_extract(row, '$[0]') ELSE session_id END)"
        f" IN (SELECT value FROM json_each(?)) AND {_WITHOUT_CALL}",
        (wanted,),
    ).rowcount


def _sessions(connection: sqlite3.Connection, scope: ForgetScope, touched: set[str]) -> set[str]:
    """Deletes sessions with nothing left, and updates the times and titles of the others."""
    gone: set[str] = set()
    for session_id in touched:
        project, last = connection.execute(
            "SELECT project, last_time FROM sessions WHERE session_id = ?", (session_id,)
        ).fetchone() or ("", "")
        left, first, place = connection.execute(_LEFT_OF_SESSION, [session_id] * len(_OWN)).fetchone()
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


def _sources(connection: sqlite3.Connection, scope: ForgetScope, used: set[str], sessions: set[str]) -> set[str]:
    """Deletes transcripts with nothing left; the recorded scope keeps them out of the next scan."""
    still = {str(row[0]) for row in connection.execute(_USED)}
    gone: set[str] = set()
    for number, path, memory in connection.execute("SELECT id, path, memory FROM sources").fetchall():
        folders, names = _remembered(memory)
        named = bool(names & (sessions | {scope.session})) or any(map(scope.covers_folder, folders))
        if str(number) not in still and (str(number) in used or named):
            gone.add(path)
            connection.execute("DELETE FROM sources WHERE id = ?", (number,))
        elif named:  # it contains other sessions too, and is read from its beginning when it grows
            connection.execute("UPDATE sources SET memory = '' WHERE id = ?", (number,))
    return gone


def _remembered(memory: str) -> tuple[set[str], set[str]]:
    """Returns the folders and the sessions that the memory of a transcript names."""
    try:
        known = msgspec.json.decode(memory, type=_Named)
    except msgspec.MsgspecError:
        return set(), set()
    setting = known.setting or _NamedSetting()
    return {known.first_cwd, known.here, setting.cwd} - {""}, {known.session_id, setting.session_id} - {""}


_MAGIC = b"SQLite format 3\0"


class Found(msgspec.Struct):
    """The result for every copy of the history, by its path."""

    gone: dict[str, Gone]
    unreadable: list[str]  # damaged copies, whose content is unknown

    def together(self) -> Gone:
        """Combines all copies, without row counts; a session is complete only if no copy has any of it left."""
        everyone = list(self.gone.values())
        united = {name: set().union(*(getattr(each, name) for each in everyone)) for name in SETS}
        united["sessions"] -= set().union(*(each.touched - each.sessions for each in everyone))
        times = [each for each in everyone if each.first]
        first, last = min((each.first for each in times), default=""), max((each.last for each in times), default="")
        return Gone({}, first, last, **united)


def survey_rows(home: str, scope: ForgetScope, quoted: Quoted = NOTHING_QUOTED) -> Found:
    """Returns what would be deleted: deletes everything and rolls back."""
    return _everywhere(home, lambda path, connection: _tried(connection, scope, quoted))


def delete_rows(home: str, scope: ForgetScope) -> None:
    """The caller holds the lock of the backups."""
    _everywhere(home, lambda path, connection: _deleted(home, path, connection, scope))


def finish(home: str) -> bool:
    """Finishes an interrupted `forget`: deleted rows whose bytes may still be in the file.

    Also removes leftovers of a killed rescue or restore, which contain rows and which nobody needs.
    """
    recovery.finish(home)
    for path in glob.glob(glob.escape(paths.history_file(home)) + ".res*"):
        os.unlink(path)
    found = _everywhere(home, lambda path, connection: _finished(home, path, connection))
    return any(gone.rows for gone in found.gone.values())


def known_sessions(home: str) -> set[str]:
    """Returns every session that the history or a copy of it names."""
    return {name for gone in _everywhere(home, _sessions_of).gone.values() for name in gone.sessions}


def _everywhere(home: str, act: Callable[[str, sqlite3.Connection], Gone]) -> Found:
    """Runs on the history and all its copies; records an unreadable copy, but the history itself must be readable."""
    main = paths.history_file(home)
    found = Found({}, recovery.asides(home))
    if os.path.exists(main):
        with database.opened(home) as connection:
            try:
                found.gone[main] = act(main, connection)
            except sqlite3.OperationalError as fault:
                raise Busy(f"{main} cannot be changed now ({fault}). Fix that and try again.") from None
    for path in copies(home):
        try:
            with opened_copy(path) as connection:
                found.gone[path] = act(path, connection)
        except Busy:
            raise
        except (sqlite3.DatabaseError, LessonsError):
            found.unreadable.append(path)
    return found


def copies(home: str) -> list[str]:
    """Returns every SQLite file in the backups, whatever its name."""
    found = []
    for folder, _, names in os.walk(paths.backups_folder(home)):
        for path in (os.path.join(folder, name) for name in names):
            with suppress(OSError), open(path, "rb") as file:
                if file.read(len(_MAGIC)) == _MAGIC or path.endswith(".db"):
                    found.append(path)
    return sorted(found)


@contextmanager
def opened_copy(path: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        bring_up_to_date(connection, path)
        yield connection


def _tried(connection: sqlite3.Connection, scope: ForgetScope, quoted: Quoted) -> Gone:
    connection.execute("BEGIN IMMEDIATE")
    try:
        return delete(connection, scope, quoted)
    finally:
        connection.execute("ROLLBACK")


def _deleted(home: str, path: str, connection: sqlite3.Connection, scope: ForgetScope) -> Gone:
    connection.execute("BEGIN IMMEDIATE")
    try:
        gone = delete(connection, scope)
        if any(gone.rows.values()):
            search.rebuild(connection)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    _finished(home, path, connection)
    return gone


def _finished(home: str, path: str, connection: sqlite3.Connection) -> Gone:
    """Removes every byte of deleted rows from the file and the files beside it; only then is the work done."""
    if not is_unfinished(connection):
        return Gone()
    if path == paths.history_file(home):
        from lessons.store.history.history import History  # which imports this module

        exports.write_scan_state(History(connection, home))
    connection.execute("VACUUM")
    if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        raise Busy(f"Another program is reading {path}: close it and run `lessons forget` again.")
    mark_finished(connection)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Gone(rows={"finished": 1})


def _sessions_of(path: str, connection: sqlite3.Connection) -> Gone:
    tables = (
        "sessions",
        "calls",
        "prompts",
        "hook_contexts",
        "stop_hooks",
        "messages",
        "tags",
        "diagnoses",
        "injections",
    )
    sql = " UNION ".join(f"SELECT session_id FROM {table}" for table in tables)
    return Gone(sessions={str(row[0]) for row in connection.execute(sql)})
