"""The table `wordings`: checked answers of agents and people about candidates."""

import sqlite3
from collections.abc import Iterable

import msgspec

from lessons.candidate import Wording
from lessons.store.history.border import Part

# An answer may name calls by their ids only: one about a deleted call is deleted with it. So is one with a word that
# occurs in deleted calls only.
_GONE = """
DELETE FROM wordings WHERE fingerprint IN (SELECT value FROM json_each(?))
OR NOT EXISTS (SELECT 1 FROM candidates c WHERE c.fingerprint = wordings.fingerprint)
OR NOT json_valid(document)
OR EXISTS (
    SELECT 1 FROM json_each(iif(json_valid(document), document, '{}'), '$.citedToolUseIds') AS cited
    WHERE NOT EXISTS (SELECT 1 FROM calls c WHERE c.tool_use_id = cited.value)
)
OR EXISTS (
    SELECT 1 FROM json_each(iif(json_valid(document), document, '{}'), '$.quotedIn') AS word
    WHERE NOT EXISTS (SELECT 1 FROM json_each(word.value) AS said JOIN calls c ON c.tool_use_id = said.value)
)
"""


class Wordings(Part):
    """The stored answers about the candidates of a history."""

    def put(self, fingerprint: str, wording: Wording) -> None:
        """Replaces the earlier answer about the candidate."""
        document = msgspec.json.encode(wording).decode()
        self._connection.execute("INSERT OR REPLACE INTO wordings VALUES (?, ?)", (fingerprint, document))

    def all(self) -> dict[str, Wording]:
        """Returns them by candidate; leaves out what cannot be read."""
        found: dict[str, Wording] = {}
        for fingerprint, document in self._connection.execute("SELECT fingerprint, document FROM wordings"):
            try:
                found[fingerprint] = msgspec.json.decode(document, type=Wording)
            except msgspec.MsgspecError:
                continue
        return found


def forget(connection: sqlite3.Connection, fingerprints: Iterable[str]) -> int:
    """Deletes the answers about these candidates, and about deleted calls."""
    return connection.execute(_GONE, (msgspec.json.encode(sorted(fingerprints)).decode(),)).rowcount
