"""Finds the occurrences of a candidate: what failed and what worked instead, clearest one first."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from lessons.candidate import CORRECTION
from lessons.promote.queue.candidate import Candidate, Evidence
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall

# The newest occurrences are enough to choose from.
_MOST_OCCURRENCES = 50

Calls = Mapping[str, StoredCall]


class Pair(NamedTuple):
    """The texts of both calls, and their folders if only those differ.

    `error` is the line that says what was wrong; `output` is the known output of the failed call.
    """

    failed: str
    error: str
    worked: str
    failed_in: str = ""
    worked_in: str = ""
    output: str = ""
    tool_use_id: str = ""  # of the failed call
    session: str = ""
    time: str = ""
    folder: str = ""


def pair_of(history: History, candidate: Candidate) -> Pair:
    """Returns the shortest two shell commands that differ, of the occurrences that the candidate's text is about."""
    newest = candidate.evidence[-_MOST_OCCURRENCES:]
    calls = _calls(history, newest)
    shell = [
        each
        for each in newest
        if _is_shell(calls.get(each.tool_use_id or ""), calls.get(each.fix_tool_use_id or ""), candidate.error)
    ]
    if shell:
        return _of_calls(candidate, min(shell, key=lambda each: _obscurity(each, calls)), calls)
    if candidate.tier == CORRECTION:
        action = next(iter(calls.values()), None)
        words = candidate.quotes[0].error if candidate.quotes else candidate.summary
        return Pair(words_of(action) if action else "", words, "")
    quotes = [quote for quote in candidate.quotes if quote.worked] or candidate.quotes
    if not quotes:
        return Pair(candidate.trigger, candidate.error, "")
    quote = next((quote for quote in quotes if quote.error == candidate.error), quotes[0])
    return Pair(quote.failed or candidate.trigger, quote.error or candidate.error, quote.worked)


def occurrences_of(candidates: Sequence[Candidate], first: Pair) -> list[tuple[Candidate, Evidence]]:
    """Returns all based on a call, with their candidates: the one shown first, those with a fix, then the newest."""
    found = [(candidate, each) for candidate in candidates for each in candidate.evidence if each.tool_use_id]
    once = {each.tool_use_id: (candidate, each) for candidate, each in found}
    newest = sorted(once.values(), key=lambda one: (one[1].time, one[1].tool_use_id or ""), reverse=True)
    return sorted(newest, key=lambda one: (one[1].tool_use_id != first.tool_use_id, not one[1].fix_tool_use_id))


def occurrence(history: History, candidate: Candidate, evidence: Evidence) -> Pair | None:
    """Returns one of them, with the texts of its calls; None if the history does not have the call."""
    calls = _calls(history, [evidence])
    return _of_calls(candidate, evidence, calls) if evidence.tool_use_id in calls else None


def _calls(history: History, evidence: Sequence[Evidence]) -> Calls:
    names = [name for each in evidence for name in (each.tool_use_id, each.fix_tool_use_id) if name]
    return {call.tool_use_id: call for call in history.calls.named(names)}


def _is_shell(failed: StoredCall | None, worked: StoredCall | None, error: str) -> bool:
    return bool(failed and worked and failed.command and worked.command and error in failed.error)


def _obscurity(evidence: Evidence, calls: Calls) -> tuple[bool, int]:
    failed, worked = calls[evidence.tool_use_id or ""], calls[evidence.fix_tool_use_id or ""]
    return failed.command == worked.command, len(failed.command) + len(worked.command)


def _of_calls(candidate: Candidate, evidence: Evidence, calls: Calls) -> Pair:
    failed, worked = calls[evidence.tool_use_id or ""], calls.get(evidence.fix_tool_use_id or "")
    # One line of the error says it; the other lines are often the help of the program.
    error = candidate.error if not failed.error or candidate.error in failed.error else ""
    quoted = next((quote.error for quote in candidate.quotes if quote.failed == failed.command), "")
    pair = Pair(
        words_of(failed),
        (quoted or (candidate.quotes[0].error if candidate.quotes else "")) if candidate.tier == CORRECTION else error,
        words_of(worked) if worked else "",
        output=failed.error,
        tool_use_id=failed.tool_use_id,
        session=evidence.session_id,
        time=evidence.time,
        folder=failed.cwd,
    )
    if worked and pair.failed == pair.worked and failed.cwd != worked.cwd:
        return pair._replace(failed_in=failed.cwd, worked_in=worked.cwd)
    return pair


def words_of(call: StoredCall) -> str:
    """Returns the command; for other tools the name and the arguments, one per line."""
    if call.command:
        return call.command
    try:
        arguments = msgspec.json.decode(call.arguments)
    except msgspec.MsgspecError:
        arguments = None
    if not isinstance(arguments, dict):
        return f"{call.tool} {call.arguments}"
    lines = [f"{name}: {value if isinstance(value, str) else _json(value)}" for name, value in arguments.items()]
    return "\n".join([call.tool, *lines])


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
