"""Quotes what an agent wrote after a failed call, with its source."""

from typing import TYPE_CHECKING

from lessons.plain import quoted

if TYPE_CHECKING:
    from lessons.store.history.diagnoses import Diagnosis

_LONGEST_QUOTATION = 400
_SESSION_SHOWN = 8


def quotation(diagnosis: "Diagnosis") -> str:
    """`“The flag is --name-only.” (claude-code after the failed call, session 1f2e3d4c, 2026-09-01)`."""
    session = f"session {diagnosis.session_id[:_SESSION_SHOWN]}"
    origin = [f"{diagnosis.agent} after the failed call", session, *filter(None, [diagnosis.time[:10]])]
    return f"{quoted(diagnosis.text, _LONGEST_QUOTATION)} ({', '.join(origin)})"
