"""How every agent's reader reports the end of a tool call, and whether a person wrote a prompt."""

from typing import Literal, NamedTuple

Outcome = Literal["ok", "failed", "refused", "cancelled", "interrupted", "unknown"]
"""Refused: by a person, a rule or a hook. Cancelled: never ran for another reason. Unknown: no result (yet)."""


class Verdict(NamedTuple):
    """How a call ended, and the exit code if the transcript has it."""

    outcome: Outcome
    exit_code: int | None


Sureness = Literal["sure", "likely", "no"]
"""Sure: the client marks it as typed by a person. Likely: nothing contradicts that. No: a program wrote it."""
