"""Deletes every row of a scope, and what depends on it, in the caller's transaction."""

import sqlite3
from collections.abc import Sequence

import msgspec

from lessons.store.forget.scope import ForgetScope
from lessons.store.history import facts, injections, ledger, sessions_to_mine, tagged, wordings

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
    gone.rows["wordings"] = wordings.forget(connection, gone.candidates)
    gone.rows["marks"] = _marks(connection, touched)
    logged = injections.forget(connection, scope)
    gone.rows["injections"] = len(logged)
    ledger.forget(connection, touched | set(logged))
    gone.sessions = _sessions(connection, scope, touched)
    gone.rows["sessions"] = len(gone.sessions)
    gone.files = _sources(connection, scope, used, gone.sessions)
    gone.rows["sources"] = len(gone.files)
    if any(gone.rows.values()):
        facts.put(connection, _UNFINISHED, "1")
    return gone


def is_unfinished(connection: sqlite3.Connection) -> bool:
    """Whether rows were deleted whose bytes may still be in the file."""
    return bool(facts.get(connection, _UNFINISHED))


def finish(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM facts WHERE name = ?", (_UNFINISHED,))


def _diagnoses(connection: sqlite3.Connection, touched: set[str]) -> int:
    """Deletes diagnoses of deleted calls, wherever and whenever they were written."""
    return connection.execute(
        "DELETE FROM diagnoses WHERE session_id IN (SELECT value FROM json_each(?))"
        " AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.tool_use_id = diagnoses.tool_use_id)",
        (msgspec.json.encode(sorted(touched)).decode(),),
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
        (msgspec.json.encode(sorted(marks)).decode(),),
    )
    return marks.union(*(msgspec.json.decode(aliases or "[]", type=list[str]) for _, aliases in rows))


def _supported(connection: sqlite3.Connection) -> set[str]:
    return {str(row[0]) for row in connection.execute("SELECT DISTINCT fingerprint FROM evidence")}


def _quoted_in(connection: sqlite3.Connection, quoted: Quoted, where: str, values: list[object]) -> set[str]:
    """Returns the quoted texts that occur in calls under this condition."""
    if quoted == NOTHING_QUOTED:
        return set()
    commands, parts = (msgspec.json.encode(sorted(each)).decode() for each in (quoted.commands, quoted.parts))
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
    wanted = msgspec.json.encode(sorted(marks)).decode()
    before = _count(connection, "candidates")
    left = connection.execute(
        "SELECT DISTINCT session_id FROM tags WHERE fingerprint IN (SELECT value FROM json_each(?))", (wanted,)
    )
    tagged.refresh(connection, {row[0] for row in left.fetchall()})
    connection.execute(
        "DELETE FROM candidates WHERE fingerprint IN (SELECT value FROM json_each(?))"
        " AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.fingerprint = candidates.fingerprint)",
        (wanted,),
    )
    return before - _count(connection, "candidates")


def drop_mined(connection: sqlite3.Connection, marks: set[str], touched: set[str]) -> int:
    """Deletes what was mined from deleted rows; the next mining rebuilds it from the sessions that are left."""
    wanted = msgspec.json.encode(sorted(marks)).decode()
    left = connection.execute(
        "SELECT DISTINCT session_id FROM evidence WHERE fingerprint IN (SELECT value FROM json_each(?))", (wanted,)
    )
    sessions_to_mine.add(connection, {row[0] for row in left.fetchall()} | touched)
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
    wanted = msgspec.json.encode(sorted(touched)).decode()
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
