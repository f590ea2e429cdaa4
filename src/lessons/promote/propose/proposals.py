"""Proposes the trigger of a candidate, or says why there is none."""

import shutil
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from lessons.candidate import FAILURE, IMPORT, PROTOCOL, REPORT, REVIEW, UNKNOWN_REMEDY, WRITTEN, StoredCandidate
from lessons.failure.clean import is_of_client
from lessons.match.rule import in_project
from lessons.model import Scope, Triggers
from lessons.promote.past_call import call_of
from lessons.promote.propose.compared import Compared
from lessons.promote.propose.families import Family, Successes
from lessons.promote.propose.good_calls import GoodCalls
from lessons.promote.propose.missing import IsHere
from lessons.promote.propose.mistake import Mistake
from lessons.promote.propose.propose import Moment, propose_for
from lessons.promote.propose.tag_trigger import triggers_from_tag
from lessons.store.fault_boundary import analysed, sentence
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall

_NO_CALL = "no trigger: use as session-start note"
_NO_CODE = "no trigger: the reviews quote no code in common; give one with --content-pattern or --path-pattern"


class Trigger(NamedTuple):
    """The trigger's keys that say something, or the reason why there is none."""

    triggers: dict[str, object] | None
    reason: str | None
    fault: str | None = None  # set where the candidate could not be analysed
    scope: Scope | None = None  # where it acts; None: as the candidate says
    acts_at: Moment | None = None


def _without(fault: str) -> Trigger:
    return Trigger(None, sentence(fault), fault)


def is_on_path(program: str) -> bool:
    return shutil.which(program) is not None


class Proposals:
    """Proposes for one candidate after the other; `successes` gives the good calls of a family, the newest first."""

    def __init__(
        self,
        history: History,
        successes: Callable[[Family], GoodCalls] | None = None,
        is_here: IsHere = is_on_path,
    ) -> None:
        self._history = history
        self._is_here = is_here
        self._compared = Compared(successes or Successes(history))
        self._errors: list[StoredCall] | None = None
        self._lines: list[str] | None = None

    def of(self, stored: StoredCandidate) -> Trigger:
        if stored.document.fault:
            return _without(stored.document.fault)
        return analysed(self._history.home, stored.fingerprint, lambda: self._of(stored), _without)

    def for_calls(self, tool_use_ids: Iterable[str]) -> Trigger:
        """For failed calls of which no candidate is known."""
        failed = self._history.calls.named(tool_use_ids)
        if not failed:
            return Trigger(None, _NO_CALL)
        own = {row.tool_use_id for row in failed}
        calls = [call_of(row) for row in failed]
        mistake = Mistake(calls, (), (), *self._compared(failed, calls), self._lines_that_worked)
        found = propose_for(mistake, lambda scope: self._errors_in(scope, own), self._is_here)
        triggers = document_of(found.triggers) if found.triggers and found.acts_at != "start" else None
        return Trigger(triggers, found.reason or None, None, found.scope, found.acts_at)

    def _of(self, stored: StoredCandidate) -> Trigger:
        document = stored.document
        if stored.kind == PROTOCOL:
            return Trigger(None, "no trigger: the error itself tells the agent what to do")
        if stored.kind in (IMPORT, REPORT):
            return Trigger(document.triggers, None) if document.triggers else Trigger(None, _NO_CALL)
        if stored.kind == REVIEW:
            return Trigger(document.triggers, None) if document.triggers else Trigger(None, _NO_CODE)
        if stored.tier == WRITTEN:
            triggers = triggers_from_tag(document.tool, document.trigger)
            reason = "no trigger: the tag names none that can be used"
            return Trigger(document_of(triggers), None) if triggers else Trigger(None, reason)
        if stored.tier != FAILURE:
            return Trigger(None, _NO_CALL)
        return self._from_calls(stored)

    def _from_calls(self, stored: StoredCandidate) -> Trigger:
        failed = self._history.calls.named(each.tool_use_id for each in stored.evidence)
        if not failed:
            return Trigger(None, _NO_CALL)
        own = {row.tool_use_id for row in failed}
        mistake = self._mistake(stored, failed)
        proposal = propose_for(mistake, lambda scope: self._errors_in(scope, own), self._is_here)
        if proposal.triggers is None:
            return Trigger(None, proposal.reason or _NO_CALL)
        reason = proposal.reason if proposal.acts_at == "start" else None
        triggers = _limited(document_of(proposal.triggers), failed)
        return Trigger(triggers, reason, None, proposal.scope, proposal.acts_at)

    def _mistake(self, stored: StoredCandidate, failed: list[StoredCall]) -> Mistake:
        names = filter(None, [*(each.fix_tool_use_id for each in stored.evidence), *stored.document.fixes])
        fixes = {row.tool_use_id: call_of(row) for row in self._history.calls.named(names)}
        about = {each.tool_use_id: each for each in stored.evidence}
        calls = [call_of(row) for row in failed]
        return Mistake(
            calls,
            [fixes.get(about[row.tool_use_id].fix_tool_use_id) for row in failed],
            [fixes[name] for name in stored.document.fixes if name in fixes],
            *self._compared(failed, calls),
            self._lines_that_worked,
            stored.kind,
            [about[row.tool_use_id].project for row in failed],
            not stored.document.solution.startswith(UNKNOWN_REMEDY),
        )

    def _lines_that_worked(self) -> list[str]:
        if self._lines is None:
            self._lines = self._history.calls.newest_lines()
        return self._lines

    def _errors_in(self, scope: Scope, own: set[str]) -> list[str]:
        """Of other failed calls, the newest first."""
        if self._errors is None:
            self._errors = self._history.calls.newest_failures()
        others = [row for row in self._errors if row.tool_use_id not in own]
        if not scope.path:
            return [row.error for row in others]
        inside = {cwd: in_project((scope.path,), cwd) for cwd in {row.cwd for row in others}}
        return [row.error for row in others if inside[row.cwd]]


def _limited(triggers: dict[str, object], failed: list[StoredCall]) -> dict[str, object]:
    """Acts for the agents that failed alone, where the rule that they broke is their own program's."""
    if not all(is_of_client(row.error) for row in failed):
        return triggers
    when = triggers.get("when")
    own = {"agents": sorted({row.agent for row in failed})}
    return {**triggers, "when": {**when, **own} if isinstance(when, dict) else own}


def document_of(triggers: Triggers) -> dict[str, object]:
    """The keys of a lesson's triggers that say something."""
    document: dict[str, object] = msgspec.to_builtins(triggers)
    return {key: value for key, value in document.items() if value}
