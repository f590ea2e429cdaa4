"""How every agent's reader reports the end of a tool call, and whether a person wrote a prompt."""

from typing import Literal, NamedTuple

Outcome = Literal["ok", "failed", "refused", "cancelled", "interrupted", "unknown"]
"""Refused: by a person, a rule or a lesson. Cancelled: never ran for another reason. Unknown: no result (yet)."""


class Verdict(NamedTuple):
    """How a call ended, and the exit code if the transcript has it.

    A call that a hook denied has failed, with the hook's reason as its text; whether the hook was ours, its log tells.
    """

    outcome: Outcome
    exit_code: int | None
    by_hook: bool = False


DENIED_BY_HOOK = Verdict("failed", None, by_hook=True)


Sureness = Literal["sure", "likely", "no"]
"""Sure: the client marks it as typed by a person. Likely: nothing contradicts that. No: a program wrote it."""
