"""Proposes the trigger of a candidate from the calls of the history, or says why there is none."""

import re
import shutil
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from lessons.candidate import FAILURE, IMPORT, PROTOCOL, REPORT, REVIEW, WRITTEN, StoredCandidate
from lessons.failure.clean import is_of_client
from lessons.match.dialect import to_python
from lessons.match.rule import in_project
from lessons.match.tools import canonical_name
from lessons.mistakes.good_calls import GoodCalls
from lessons.mistakes.past_call import call_of
from lessons.mistakes.trigger import Group, IsHere, Moment, propose
from lessons.model import Scope, Triggers
from lessons.promote.intake.trigger_rules import trigger_problems
from lessons.promote.queue.families import ANY, Family, Successes, SuccessesOf, programs_of
from lessons.promote.slow_regex.probe import find_danger
from lessons.store.fault_boundary import analysed, sentence
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall

_NO_CALL = "no trigger: use as session-start note"
_NO_CODE = "no trigger: the reviews quote no code in common; give one with --content-pattern or --path-pattern"
_NO_TAG = "no trigger: the tag names none that can be used"
_LONGEST_TRIGGER = 200
_MOST_COMMANDS = 6  # of a line whose programs are compared
_ABOUT_FILES = ("Read", "Write", "Edit", "NotebookEdit")
# Agents are asked how the command begins; a text with these signs is still meant as a regex.
_REGEX = re.compile(r"\\[bBsSdDwW.]|\.[*+]|\(\?|^\^|\$$|\w\|\w")
# Facts about a machine or a project, worth a line before anything is called.
_FACTS = frozenset(("missing-tool", "wrong-path", "order-of-steps"))


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

    def __init__(self, history: History, successes: SuccessesOf | None = None, is_here: IsHere = is_on_path) -> None:
        self._history = history
        self._is_here = is_here
        self._successes = successes or Successes(history)
        self._good: tuple[list[GoodCalls], GoodCalls] | None = None  # the families that were compared last
        self._errors: list[StoredCall] | None = None

    def of(self, stored: StoredCandidate) -> Trigger:
        if stored.document.fault:
            return _without(stored.document.fault)
        return analysed(self._history.home, stored.fingerprint, lambda: self._of(stored), _without)

    def for_calls(self, tool_use_ids: Iterable[str]) -> Trigger:
        """For failed calls of which no candidate is known."""
        found = self._from(self._history.calls.named(tool_use_ids), (), {}, False)
        return found if found.acts_at != "start" else found._replace(triggers=None)

    def _of(self, stored: StoredCandidate) -> Trigger:
        document = stored.document
        if stored.kind == PROTOCOL:
            return Trigger(None, "no trigger: the error itself tells the agent what to do")
        if stored.kind in (IMPORT, REPORT, REVIEW):
            reason = _NO_CODE if stored.kind == REVIEW else _NO_CALL
            return Trigger(document.triggers, None) if document.triggers else Trigger(None, reason)
        if stored.tier == WRITTEN:
            triggers = triggers_from_tag(document.tool, document.trigger)
            return Trigger(document_of(triggers), None) if triggers else Trigger(None, _NO_TAG)
        if stored.tier != FAILURE:
            return Trigger(None, _NO_CALL)
        failed = self._history.calls.named(each.tool_use_id for each in stored.evidence)
        fixes = dict.fromkeys([*(each.fix_tool_use_id for each in stored.evidence), *document.fixes])
        projects = {each.tool_use_id: each.project for each in stored.evidence}
        return self._from(failed, filter(None, fixes), projects, stored.kind in _FACTS)

    def _from(self, failed: list[StoredCall], fixes: Iterable[str], projects: dict[str, str], is_fact: bool) -> Trigger:
        if not failed:
            return Trigger(None, _NO_CALL)
        own = {row.tool_use_id for row in failed}
        group = Group(
            [call_of(row) for row in failed],
            [call_of(row) for row in self._history.calls.named(fixes)],
            self._compared(failed),
            [projects.get(row.tool_use_id, "") for row in failed],
            is_fact,
        )
        found = propose(group, lambda scope: self._errors_in(scope, own), self._is_here)
        if found.triggers is None:
            return Trigger(None, found.reason or _NO_CALL, None, None, None)
        triggers = _limited(document_of(found.triggers), failed)
        return Trigger(triggers, found.reason or None, None, found.scope, found.acts_at)

    def _compared(self, failed: list[StoredCall]) -> GoodCalls:
        """Returns the good calls of the programs that nearly all failures run, whatever these did."""
        families = programs_of(failed)
        for row in failed[:1]:
            invocations = call_of(row).invocations() if row.command else []
            programs = dict.fromkeys(texts[-1].partition(" ")[0] for texts in invocations[:_MOST_COMMANDS])
            families += [Family(row.tool, program, ANY) for program in programs if program]
        parts = [self._successes(family) for family in dict.fromkeys(families)]
        if self._good is None or list(map(id, self._good[0])) != list(map(id, parts)):
            self._good = parts, GoodCalls.joined(parts)
        return self._good[1]

    def _errors_in(self, scope: Scope, own: set[str]) -> list[str]:
        """Returns the errors of other failed calls, the newest first."""
        if self._errors is None:
            self._errors = self._history.calls.newest_failures()
        others = [row for row in self._errors if row.tool_use_id not in own]
        if not scope.path:
            return [row.error for row in others]
        inside = {cwd: in_project((scope.path,), cwd) for cwd in {row.cwd for row in others}}
        return [row.error for row in others if inside[row.cwd]]


def _limited(triggers: dict[str, object], failed: list[StoredCall]) -> dict[str, object]:
    """Limits the trigger to the agents that failed, where the rule that they broke is their own program's."""
    if not all(is_of_client(row.error) for row in failed):
        return triggers
    when = triggers.get("when")
    own = {"agents": sorted({row.agent for row in failed})}
    return {**triggers, "when": {**when, **own} if isinstance(when, dict) else own}


def document_of(triggers: Triggers) -> dict[str, object]:
    """Returns the keys of a lesson's triggers that say something."""
    document: dict[str, object] = msgspec.to_builtins(triggers)
    return {key: value for key, value in document.items() if value}


def triggers_from_tag(tool: str, trigger: str) -> Triggers | None:
    """Returns the tool and the trigger that an agent wrote into a tag; None if no lesson may have such a pattern."""
    if not trigger.strip() or len(trigger) > _LONGEST_TRIGGER or len(trigger.splitlines()) > 1:
        return None
    name = canonical_name(tool) if re.fullmatch(r"[\w@/.-]+", tool) else ""
    if name in _ABOUT_FILES:
        triggers = Triggers(tool_names=[name], path_patterns=[trigger])
    elif name in ("", "Bash"):
        triggers = Triggers(tool_names=["Bash"], command_patterns=[_tag_pattern(trigger)], match_on="invocation")
    else:
        triggers = Triggers(tool_names=[name], command_patterns=[_tag_pattern(trigger)])
    return triggers if _is_usable(triggers) else None


def _tag_pattern(trigger: str) -> str:
    if _REGEX.search(trigger):
        return trigger
    escaped = re.sub(r"([.^$*+?{}\[\]\\|()])", r"\\\1", " ".join(trigger.split()))
    return escaped + (r"\b" if escaped[-1].isalnum() else "")


def _is_usable(triggers: Triggers) -> bool:
    if any(trigger_problems(triggers)):
        return False
    regexes = [to_python(pattern) for pattern in triggers.command_patterns]
    return not any(re.compile(*regex).search("") or find_danger(*regex) for regex in regexes)
