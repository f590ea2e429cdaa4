"""Makes the tables of a history that was assembled from saved rows consistent again, ready for a scan."""

import os
import sqlite3

import msgspec

from lessons.store.history import search, tagged

_NAMED = 5
_WITH_SOURCE = ("calls", "prompts", "hook_contexts", "stop_hooks", "tags", "diagnoses")
_DROP = (
    "DELETE FROM segments WHERE source_id NOT IN (SELECT id FROM sources)",
    "DELETE FROM progress WHERE segment_id NOT IN (SELECT id FROM segments)",
    "DELETE FROM damaged WHERE source_id NOT IN (SELECT id FROM sources)",
    "DELETE FROM evidence WHERE fingerprint NOT IN (SELECT fingerprint FROM candidates)",
    "DELETE FROM facts WHERE name IN ('mining', 'ledger')",  # so that every session is mined and judged again
)
# A path that sorts after every real one: of two copies of a row the one with a real file is kept.
_STAND_IN = """
INSERT INTO sources (id, agent, path, generation, inode, size, modified, offset, head, tail, memory)
SELECT source_id, min(agent), '~unknown-' || source_id, 0, 0, -1, 0, 0, x'', x'', '' FROM {}
WHERE source_id NOT IN (SELECT id FROM sources) GROUP BY source_id
"""
# A saved row may have flipped bits that nobody can see. So its transcript, if it still exists, replaces it. Of two
# copies of a row the one with the lower position is kept. Of two results the one with an id is kept.
_BEHIND = 2**40
_READ_AGAIN = (
    "DELETE FROM damaged",
    f"UPDATE calls SET position = position + {_BEHIND}, result_uuid = ''",
    *(f"UPDATE {table} SET position = position + {_BEHIND}" for table in _WITH_SOURCE if table != "calls"),
)


def mend(connection: sqlite3.Connection) -> list[str]:
    """Returns messages for the user about the transcripts of the rows."""
    for statement in _DROP:
        connection.execute(statement)
    unknown = sum(connection.execute(_STAND_IN.format(table)).rowcount for table in _WITH_SOURCE)
    gone = _restart(connection)
    tagged.refresh(connection, [row[0] for row in connection.execute("SELECT DISTINCT session_id FROM tags")])
    search.rebuild(connection)
    sentences = []
    if unknown:
        sentences.append(f"Of {_many(unknown, 'transcript')} it is not known any more where {_be(unknown)}.")
    if gone:
        names = ", ".join(gone[:_NAMED]) + (f" and {len(gone) - _NAMED:,} more" if len(gone) > _NAMED else "")
        files = "the file is" if len(gone) == 1 else "the files are"
        what = f"{_many(len(gone), 'transcript')} cannot be read again, because {files} gone"
        sentences.append(f"{what}: there is what could be saved, and no more ({names}).")
    return sentences


def _restart(connection: sqlite3.Connection) -> list[str]:
    """Queues every transcript to be read from its beginning; returns those that are missing."""
    paths = [str(row[0]) for row in connection.execute("SELECT DISTINCT path FROM sources ORDER BY path")]
    gone = [path for path in paths if not path.startswith("~") and not os.path.exists(path)]
    connection.execute("UPDATE sources SET size = -1, offset = 0, memory = '', head = x'', tail = x''")
    still_there = msgspec.json.encode(sorted(set(paths) - set(gone))).decode()
    read_again = "SELECT id FROM sources WHERE path IN (SELECT value FROM json_each(?))"
    connection.execute(f"UPDATE sources SET records = 0, malformed = 0 WHERE id IN ({read_again})", (still_there,))
    for statement in _READ_AGAIN:
        connection.execute(f"{statement} WHERE source_id IN ({read_again})", (still_there,))
    return gone


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _be(number: int) -> str:
    return "it was" if number == 1 else "they were"
