"""The table `diagnoses`: what agents wrote between a failed call and their next call."""

from collections.abc import Iterable

import msgspec

from lessons.store.history.border import Part

# If a session was forked after the failure, the text of the call's own session comes first.
_OF_CALLS = """
SELECT d.tool_use_id, d.agent, d.session_id, d.time, d.text
FROM json_each(?) AS wanted JOIN diagnoses d ON d.tool_use_id = wanted.value JOIN calls c USING (tool_use_id)
JOIN sources s ON s.id = d.source_id
ORDER BY d.session_id <> c.session_id, d.session_id, d.time, s.path, s.generation, d.position, d.number
"""


class Diagnosis(msgspec.Struct, frozen=True, rename="camel"):
    """The first sentences that an agent wrote after a failed call, redacted, and who wrote them."""

    text: str
    agent: str
    session_id: str
    time: str
    tool_use_id: str  # of the failed call


class Diagnoses(Part):
    """What agents wrote about the failed calls of a history."""

    def of(self, tool_use_ids: Iterable[str]) -> dict[str, Diagnosis]:
        """Returns them by the failed call; leaves out calls after which nothing was written."""
        wanted = msgspec.json.encode(sorted(set(tool_use_ids))).decode()
        found: dict[str, Diagnosis] = {}
        for name, agent, session_id, time, text in self._connection.execute(_OF_CALLS, (wanted,)):
            found.setdefault(name, Diagnosis(text, agent, session_id, time, name))
        return found
