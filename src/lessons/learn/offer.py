"""How much there is to learn from: for the end of `lessons init`, an alert, and a line at a session start."""

import time
from typing import NamedTuple

from lessons.learn import sources
from lessons.learn.ask import BATCH
from lessons.store import logs
from lessons.store.history.history import History
from lessons.store.session_start_files import put_person_line

LINE = "learn"  # the name of the line that a session start may show
_ENOUGH = 10  # mistakes: for fewer nobody needs to be told
_LINE_SECONDS = 30 * 86_400
_SECONDS_BETWEEN_COUNTS = 86_400.0
# Rough figures, before anything is built: a dossier with its share of the instructions, and an answer.
_TOKENS_OF_A_MISTAKE = 700
_SECONDS_OF_A_QUESTION = 15


class Offer(NamedTuple):
    """What waits to be learned from, and about what it would cost."""

    mistakes: int
    failures: int  # failed calls
    tokens: int
    minutes: int


def offer(history: History) -> Offer:
    found = sources.waiting(history)
    questions = -(-len(found) // BATCH)
    minutes = max(1, round(questions * _SECONDS_OF_A_QUESTION / 60)) if found else 0
    return Offer(len(found), sum(len(each.calls) for each in found), len(found) * _TOKENS_OF_A_MISTAKE, minutes)


def note_when_due(history: History, now: float) -> None:
    """After a scan, once a day. Records a fault in here and does not stop the scan."""
    counted = history.answers.to_learn()
    if counted is None or not 0 <= now - counted.time < _SECONDS_BETWEEN_COUNTS:
        try:
            note(history, now)
        except Exception as fault:
            logs.record_fault_once(history.home, LINE, logs.describe_fault(fault))


def note(history: History, now: float = 0.0) -> None:
    """Stores how much waits, and the line for the next session start."""
    now = now or time.time()
    found = offer(history)
    enough = found.mistakes >= _ENOUGH
    with history.transaction():
        history.answers.note_to_learn(found.failures if enough else 0, now)
    text = f"{found.failures:,} failures in your history have no lesson yet. lessons learn"
    put_person_line(history.home, LINE, text if enough else "", now + _LINE_SECONDS)
