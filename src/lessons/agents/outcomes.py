"""How every agent's reader reports the end of a tool call, and whether a person wrote a prompt."""

from typing import Literal, NamedTuple

Outcome = Literal["ok", "failed", "refused", "cancelled", "interrupted", "unknown"]
"""Refused: a person, a rule or a hook said no; cancelled: it never ran for another reason; unknown: not told (yet)."""


class Verdict(NamedTuple):
    """How a call ended, and the exit code if the transcript has it."""

    outcome: Outcome
    exit_code: int | None


Sureness = Literal["sure", "likely", "no"]
"""Sure: the client says that a person typed it; likely: nothing says otherwise; no: a machine wrote it."""
