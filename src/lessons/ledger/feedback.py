"""Feedback about a lesson: recorded for `lessons tend` and `lessons stats`."""

from collections import Counter
from typing import Literal

from lessons.errors import Refused
from lessons.promote.promotion.text import plain
from lessons.store import decisions
from lessons.store.decisions import Note

Verdict = Literal["good", "bad"]
_LONGEST_REASON = 300
_OF_AGENT = "agent-"  # prefix for the verdict of an agent


def record_feedback(home: str, slug: str, verdict: str, why: str = "") -> Note:
    """Returns the recorded line; removes secrets from the reason."""
    return _recorded(home, slug, verdict, why)


def record_agents_feedback(home: str, slug: str, verdict: str, agent: str, why: str = "") -> Note:
    """Records an agent's feedback: shown to the user, and never counted as the user's own."""
    return _recorded(home, slug, verdict, f"{agent}: {why}" if why else agent, _OF_AGENT)


def _recorded(home: str, slug: str, verdict: str, why: str, of: str = "") -> Note:
    if verdict not in ("good", "bad"):
        raise Refused(f"{verdict} is not a verdict: write good or bad.")
    from lessons.redact.texts import redacted_start  # its patterns take a while to load

    reason = plain(redacted_start(why, 4 * _LONGEST_REASON), _LONGEST_REASON)
    return decisions.record(home, f"{of}{verdict}", slug, reason)


def agents_feedback_on(home: str, slug: str) -> Counter[str]:
    """Counts how many agents called the lesson good, and how many bad."""
    found = [note.decision for note in decisions.notes(home) if note.slug == slug]
    return Counter(each.removeprefix(_OF_AGENT) for each in found if each.startswith(_OF_AGENT))


def feedback_on(home: str) -> dict[str, list[Note]]:
    """Returns feedback by slug, oldest first."""
    found: dict[str, list[Note]] = {}
    for note in decisions.notes(home):
        if note.decision in ("good", "bad"):
            found.setdefault(note.slug, []).append(note)
    return found


def counts(notes: list[Note], since: str = "") -> Counter[str]:
    """Counts good and bad feedback."""
    return Counter(note.decision for note in notes if note.time >= since)
