"""What a person thinks of a lesson: recorded for `lessons tend` and `lessons stats`."""

from collections import Counter
from typing import Literal

from lessons.errors import Refused
from lessons.promote.promotion.text import plain
from lessons.redact.texts import redacted_start
from lessons.store import decisions
from lessons.store.decisions import Note

Verdict = Literal["good", "bad"]
_LONGEST_REASON = 300
_OF_AGENT = "agent-"  # before the verdict of an agent


def record_feedback(home: str, slug: str, verdict: str, why: str = "") -> Note:
    """The line as it was recorded; secrets are taken out of the reason."""
    return _recorded(home, slug, verdict, why)


def record_agents_feedback(home: str, slug: str, verdict: str, agent: str, why: str = "") -> Note:
    """What an agent thinks: shown to the person, and never counted as the person's own."""
    return _recorded(home, slug, verdict, f"{agent}: {why}" if why else agent, _OF_AGENT)


def _recorded(home: str, slug: str, verdict: str, why: str, of: str = "") -> Note:
    if verdict not in ("good", "bad"):
        raise Refused(f"{verdict} is not a verdict: write good or bad.")
    reason = plain(redacted_start(why, 4 * _LONGEST_REASON), _LONGEST_REASON)
    return decisions.record(home, f"{of}{verdict}", slug, reason)


def agents_feedback_on(home: str, slug: str) -> Counter[str]:
    """How many agents called the lesson good, and how many bad."""
    found = [note.decision for note in decisions.notes(home) if note.slug == slug]
    return Counter(each.removeprefix(_OF_AGENT) for each in found if each.startswith(_OF_AGENT))


def feedback_on(home: str) -> dict[str, list[Note]]:
    """By slug, the oldest first."""
    found: dict[str, list[Note]] = {}
    for note in decisions.notes(home):
        if note.decision in ("good", "bad"):
            found.setdefault(note.slug, []).append(note)
    return found


def counts(notes: list[Note], since: str = "") -> Counter[str]:
    """How many good and bad ones."""
    return Counter(note.decision for note in notes if note.time >= since)
