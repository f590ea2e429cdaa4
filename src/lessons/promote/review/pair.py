"""The occurrence of a candidate that shows best what failed and what worked instead."""

from typing import NamedTuple

from lessons.candidate import CORRECTION
from lessons.promote.queue.candidate import Candidate
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall

# The newest occurrences are enough to choose from.
_MOST_OCCURRENCES = 50


class Pair(NamedTuple):
    """The words of both calls, and the folders where they were made if those are what differs."""

    failed: str
    error: str
    worked: str
    failed_in: str = ""
    worked_in: str = ""


def pair_of(history: History, candidate: Candidate) -> Pair:
    """The shortest two shell commands that differ, of the occurrences that the candidate's own words are about."""
    newest = candidate.evidence[-_MOST_OCCURRENCES:]
    names = [name for each in newest for name in (each.tool_use_id, each.fix_tool_use_id) if name]
    calls = {call.tool_use_id: call for call in history.calls.named(names)}
    pairs = [
        (calls[each.tool_use_id], calls[each.fix_tool_use_id])
        for each in newest
        if each.tool_use_id in calls and each.fix_tool_use_id in calls
    ]
    shell = [
        (failed, worked)
        for failed, worked in pairs
        if failed.command and worked.command and candidate.error in failed.error
    ]
    if shell:
        return _of_commands(candidate, *min(shell, key=_obscurity))
    if candidate.tier == CORRECTION:
        action = next(iter(calls.values()), None)
        words = candidate.quotes[0].error if candidate.quotes else candidate.summary
        return Pair((action.command or f"{action.tool} {action.arguments}") if action else "", words, "")
    quotes = [quote for quote in candidate.quotes if quote.worked] or candidate.quotes
    if not quotes:
        return Pair(candidate.trigger, candidate.error, "")
    quote = next((quote for quote in quotes if quote.error == candidate.error), quotes[0])
    return Pair(quote.failed or candidate.trigger, quote.error or candidate.error, quote.worked)


def _obscurity(pair: tuple[StoredCall, StoredCall]) -> tuple[bool, int]:
    failed, worked = pair
    return failed.command == worked.command, len(failed.command) + len(worked.command)


def _of_commands(candidate: Candidate, failed: StoredCall, worked: StoredCall) -> Pair:
    # One line of the error says it; the other lines are often the help of the program.
    error = candidate.error or failed.error
    if failed.command == worked.command and failed.cwd != worked.cwd:
        return Pair(failed.command, error, worked.command, failed.cwd, worked.cwd)
    return Pair(failed.command, error, worked.command)
