"""The calls that an answer about a candidate is checked against."""

from collections.abc import Collection
from typing import NamedTuple

import msgspec

from lessons.candidate import StoredCandidate
from lessons.errors import Refused
from lessons.match.rule import in_project
from lessons.model import Scope, Triggers
from lessons.promote.backtest.matching import hits
from lessons.promote.backtest.rule import compiled
from lessons.promote.queue.candidate import Candidate
from lessons.promote.queue.families import families_of, programs_of, successes_of
from lessons.promote.review.case import proposed
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall, StoredCall

_MOST_COUNTED = 1_000
_OK, _FAILED = "ok", "failed"


class Trial(NamedTuple):
    """What a trigger would have done at the calls of the history."""

    caught: frozenset[str]  # failed calls of the candidate
    fixes: list[str]  # lines of calls that resolved one of them
    successes: list[PastCall]  # other calls that went well
    others: int  # failed calls of other mistakes that its error patterns fire on


class CaseFile(msgspec.Struct):
    """A candidate with all its calls; a dossier shows a part of them."""

    candidate: Candidate
    failures: dict[str, StoredCall]  # by id
    sessions: dict[str, str]  # failed call -> its session
    fixes: dict[str, StoredCall]
    successes: list[StoredCall]  # of the same programs or tools, the newest first
    projects: frozenset[str]
    queue: frozenset[str]  # fingerprints of all candidates
    program: str  # to blame: a program, or a tool
    program_worked: int  # calls of it that went well, whatever it was asked for
    proposal_trial: Trial | None = None

    @property
    def calls(self) -> list[StoredCall]:
        """All of them; those of the candidate itself first."""
        return [*self.failures.values(), *self.fixes.values(), *self.successes]

    @property
    def left_out_session(self) -> str:
        """The newest of several sessions: the dossier does not show it, so that a trigger can be tried on it."""
        order = list(dict.fromkeys(self.sessions.values()))
        return order[-1] if len(order) > 1 else ""

    def good_calls(self, scope: Scope) -> int:
        """How many calls of the same family went well where the lesson would act."""
        families = set(families_of(self.failures.values()))
        rows = (row for row in self.successes if not families.isdisjoint(families_of([row])))
        return sum(not scope.path or in_project((scope.path,), row.cwd) for row in rows)


def case_file(history: History, candidate: Candidate, stored: StoredCandidate, queue: Collection[str]) -> CaseFile:
    sessions = {each.tool_use_id: each.session_id for each in stored.evidence if each.tool_use_id}
    rows = history.calls.named(sessions)
    names = filter(None, [*(each.fix_tool_use_id for each in stored.evidence), *stored.document.fixes])
    program = next(iter((stored.document.family or candidate.tool).split()), "")
    found = CaseFile(
        candidate,
        {row.tool_use_id: row for row in rows},
        {name: session for name, session in sessions.items() if any(row.tool_use_id == name for row in rows)},
        {row.tool_use_id: row for row in history.calls.named(names)},
        [call for family in programs_of(rows) for call in successes_of(history, family)],
        frozenset({each.project for each in stored.evidence} - {""}),
        frozenset(queue),
        program,
        len(history.calls.successes_with_any_subcommand(program, _MOST_COUNTED)),
    )
    triggers = proposed(candidate)
    found.proposal_trial = _trial_or_none(history, found, triggers, candidate.scope) if triggers else None
    return found


def _trial_or_none(history: History, case: CaseFile, triggers: Triggers, scope: Scope) -> Trial | None:
    try:
        return trial(history, case, triggers, scope)
    except Refused:
        return None


def trial(history: History, case: CaseFile, triggers: Triggers, scope: Scope) -> Trial:
    """Over every call of the history, by the code of the hook; Refused if such a lesson could not fire."""
    caught: set[str] = set()
    fixes: list[str] = []
    successes: list[PastCall] = []
    for past in hits(history, compiled(triggers, scope).rule):
        if past.tool_use_id in case.failures:
            caught.add(past.tool_use_id)
        elif past.tool_use_id in case.fixes:
            fixes.append(past.command or past.arguments)
        elif past.outcome == _OK and not past.suspicious:
            successes.append(past)
    return Trial(frozenset(caught), fixes, successes, _other_errors(history, case, triggers, scope))


def _other_errors(history: History, case: CaseFile, triggers: Triggers, scope: Scope) -> int:
    if not triggers.error_patterns:
        return 0
    alone = Triggers(error_patterns=triggers.error_patterns, unless=triggers.unless)
    found = hits(history, compiled(alone, scope).rule)
    return sum(past.outcome == _FAILED and past.tool_use_id not in case.failures for past in found)
