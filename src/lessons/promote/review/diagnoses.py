"""Finds what the agent itself wrote after the failed calls of a candidate."""

from lessons.promote.queue.candidate import Candidate
from lessons.store.history.diagnoses import Diagnosis
from lessons.store.history.history import History

# The newest occurrences are enough to choose from.
_MOST_OCCURRENCES = 50


def diagnoses_of(history: History, candidate: Candidate) -> list[Diagnosis]:
    """Returns those of its occurrences, newest first; the same text once."""
    newest = [each.tool_use_id for each in reversed(candidate.evidence[-_MOST_OCCURRENCES:]) if each.tool_use_id]
    written = history.diagnoses.of(newest)
    found = [written[name] for name in newest if name in written]
    return list({each.text: each for each in reversed(found)}.values())[::-1]
