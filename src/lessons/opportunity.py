"""An opportunity of a lesson, or of memory: a call that it is about, what the hook did there, and the outcome."""

from typing import Literal, get_args

import msgspec

# What the hook did with the lesson at the call. `none`: the call matches and nothing was done, because the lesson did
# not exist yet or no hook was active. `missed`: the mistake was made and nothing matched.
Decision = Literal["hint", "stop", "block", "shadow", "held-out", "dropped", "muted", "allowed", "none", "missed"]
# What the hook logs; `asked` is about no lesson, but about a recovery.
LOGGED = (*(name for name in get_args(Decision) if name not in ("none", "missed")), "asked")

RECALL = ""  # what memory recalls has no slug

# The outcome (docs/PROOF.md has the definitions with one example each).
Outcome = Literal[
    "heeded",
    "ignoredFailed",
    "falseAlarm",
    "stoppedCorrected",
    "stoppedRepeated",
    "overridden",
    "heldOut",
    "missed",
    "notDelivered",  # dropped, muted, or lost with a rejected call
    "notShown",  # in shadow, or before the lesson existed
    "unknown",
]


class Opportunity(msgspec.Struct, frozen=True, gc=False):
    """One lesson, or one remembered mistake, at one call."""

    lesson: str  # the id of the lesson, or the name of what was recalled
    slug: str  # RECALL: it is of memory
    time: str
    session: str
    agent: str
    model: str
    project: str
    tool_use_id: str
    decision: Decision
    outcome: Outcome
    # Whether the mistake was made at this call or, if it was stopped, at the call that replaced it; None: unknown.
    failed: bool | None
    is_active: bool  # the agent could read the lesson: not in shadow, not held out, not muted, not before activation
    # Whether the mistake was made later in the same context. A hint can change only this, because its text arrives with
    # the result of the call. None: nothing followed, or the lesson had an earlier opportunity in this context.
    repeated: bool | None = None
