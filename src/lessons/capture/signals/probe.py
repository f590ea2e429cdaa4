"""Whether a failed call only asked a question: a negative answer is not a mistake."""

from typing import Literal

from lessons.capture.family import blame_of
from lessons.episode import Change, Kind, Step
from lessons.shell.line import parts
from lessons.shell.programs import ASK

Probe = Literal["", "state", "answer"]
_OPTIONS = frozenset(
    ("--version", "--verify", "--exit-code", "--check", "-check", "--help", "--is-inside-work-tree", "--is-ancestor")
)
_VERBS = frozenset(("list", "ls", "status", "whoami", "is-active", "is-enabled", "show-ref", "ps", "ping"))
# Kinds of mistake in the question itself.
_OF_THE_CALL: dict[Probe, frozenset[Kind]] = {
    "answer": frozenset(("wrong-flag", "quoting", "wrong-path", "order-of-steps")),
    "state": frozenset(("wrong-flag", "quoting", "wrong-path", "wrong-command", "missing-tool")),
}


def probe_of(step: Step, blamed: str) -> Probe:
    """`answer`: the exit code is the answer; `state`: it lists or shows what exists."""
    found = blame_of(step)
    if found is None:
        return ""
    named = [part for part in parts(step.command) if part.program == blamed]
    words = (named[0] if named and blamed != found.part.program else found.part).words
    if words[0] in ASK or not _OPTIONS.isdisjoint(words):
        return "answer"
    return "state" if not _VERBS.isdisjoint(words[1:3]) else ""


def is_answered(probe: Probe, kind: Kind | None) -> bool:
    """Whether the error is only the answer."""
    return probe == "answer" and kind not in _OF_THE_CALL[probe]


def may_change(probe: Probe, change: Change, is_misuse: bool) -> bool:
    """Whether the change counts: another question, or a step before asking again, says nothing about the first
    question.
    """
    if probe == "answer":
        no_longer_asked = not is_misuse and change.before.partition(" ")[0] in _OPTIONS
        return change.kind not in ("order-of-steps", "wrong-arguments") and not no_longer_asked
    return probe == "" or is_misuse or change.kind in _OF_THE_CALL[probe]
