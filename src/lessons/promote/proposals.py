"""Proposes the trigger of a candidate from the calls of the history, or says why there is none."""

import re
import shutil
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import NamedTuple

import msgspec

from lessons.candidate import FAILURE, IMPORT, REPORT, REVIEW, WRITTEN, StoredCandidate
from lessons.failure.error_text import is_of_client
from lessons.match.call import canonical_name
from lessons.match.dialect import to_python
from lessons.match.rule import in_project
from lessons.mistakes.good_calls import GoodCalls, call_of, is_shell
from lessons.mistakes.trigger import Group, propose
from lessons.model import Scope, Triggers, document_from_triggers
from lessons.promote.candidate import Candidate, put_trigger
from lessons.promote.publish.slow import find_danger
from lessons.promote.trigger_rules import trigger_problems
from lessons.store.history.candidates import ProposedTrigger
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall
from lessons.store.logs import analysed, not_analysed

ANY = "*"  # stands for every sub-command
_MOST_FAMILIES = 4  # whose good calls are remembered: tens of megabytes each


class Family(NamedTuple):
    """Calls that can be compared: of a program and its sub-command, else of a tool."""

    tool: str
    program: str
    subcommand: str


SuccessesOf = Callable[[Family], GoodCalls]


def remembered_successes(history: History) -> SuccessesOf:
    """Returns a function that remembers the good calls of the last families."""
    return lru_cache(maxsize=_MOST_FAMILIES)(lambda family: GoodCalls.of_rows(successes_of(history, family)))


def families_of(calls: Iterable[StoredCall], subcommand: str | None = None) -> list[Family]:
    """Returns the families of these calls; with a sub-command, as if it were that of all."""
    return sorted(
        {
            Family(row.tool, row.program, (subcommand or row.subcommand) if row.program else "")
            if row.command
            else Family(row.tool, "", "")
            for row in calls
        }
    )


def successes_of(history: History, family: Family) -> list[StoredCall]:
    """Returns the calls of a family that went well, the newest first."""
    if family.program and family.subcommand == ANY:
        return history.calls.successes_with_any_subcommand(family.program)
    if family.program:
        return history.calls.successes_of_program(family.program, family.subcommand)
    return [] if is_shell(family.tool) else history.calls.successes_of_tool(family.tool)


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


class Proposals:
    """Proposes for one candidate after the other; `successes` gives the good calls of a family, the newest first."""

    def __init__(self, history: History, successes: SuccessesOf | None = None) -> None:
        self._history = history
        of_family = successes or remembered_successes(history)
        self._good = lru_cache(maxsize=1)(lambda families: GoodCalls.joined(map(of_family, families)))
        self._failures = cache(history.calls.newest_failures)

    def of(self, stored: StoredCandidate) -> ProposedTrigger:
        def without(fault: str) -> ProposedTrigger:
            return ProposedTrigger(reason=not_analysed(fault), fault=fault)

        if stored.document.fault:
            return without(stored.document.fault)
        return analysed(self._history.home, stored.fingerprint, lambda: self._of(stored), without)

    def for_calls(self, tool_use_ids: Iterable[str]) -> ProposedTrigger:
        """For failed calls of which no candidate is known."""
        found = self._from(self._history.calls.named(tool_use_ids), (), {}, False)
        return found if found.acts_at != "start" else msgspec.structs.replace(found, triggers=None)

    def _of(self, stored: StoredCandidate) -> ProposedTrigger:
        document = stored.document
        if stored.kind in (IMPORT, REPORT, REVIEW):
            reason = _NO_CODE if stored.kind == REVIEW else _NO_CALL
            return ProposedTrigger(document.triggers) if document.triggers else ProposedTrigger(reason=reason)
        if stored.tier == WRITTEN:
            triggers = triggers_from_tag(document.tool, document.trigger, document.error, document.unless)
            if triggers:
                return ProposedTrigger(document_from_triggers(triggers))
        elif stored.tier != FAILURE:
            return ProposedTrigger(reason=_NO_CALL)
        failed = self._history.calls.named(each.tool_use_id for each in stored.evidence)
        fixes = dict.fromkeys([*(each.fix_tool_use_id for each in stored.evidence), *document.fixes])
        projects = {each.tool_use_id: each.project for each in stored.evidence}
        if stored.tier == WRITTEN and not failed:
            return ProposedTrigger(reason=_NO_TAG)
        return self._from(failed, filter(None, fixes), projects, stored.kind in _FACTS)

    def _from(
        self, failed: list[StoredCall], fixes: Iterable[str], projects: dict[str, str], is_fact: bool
    ) -> ProposedTrigger:
        if not failed:
            return ProposedTrigger(reason=_NO_CALL)
        own = {row.tool_use_id for row in failed}
        group = Group(
            [call_of(row) for row in failed],
            [call_of(row) for row in self._history.calls.named(fixes)],
            self._good(_compared(failed)),
            [projects.get(row.tool_use_id, "") for row in failed],
            is_fact,
        )
        found = propose(group, lambda scope: self._errors_in(scope, own), lambda program: bool(shutil.which(program)))
        if found.triggers is None:
            return ProposedTrigger(reason=found.reason or _NO_CALL)
        triggers = _limited(document_from_triggers(found.triggers), failed)
        return ProposedTrigger(triggers, found.reason or None, found.scope, found.acts_at)

    def _errors_in(self, scope: Scope, own: set[str]) -> list[str]:
        """Returns the errors of other failed calls, the newest first."""
        others = [row for row in self._failures() if row.tool_use_id not in own]
        if not scope.path:
            return [row.error for row in others]
        inside = {cwd: in_project((scope.path,), cwd) for cwd in {row.cwd for row in others}}
        return [row.error for row in others if inside[row.cwd]]


def _compared(failed: list[StoredCall]) -> tuple[Family, ...]:
    """Returns the programs that nearly all failures run, whatever these did: their good calls are compared."""
    families = families_of(failed, ANY)
    for row in failed[:1]:
        invocations = call_of(row).invocations() if row.command else []
        programs = dict.fromkeys(texts[-1].partition(" ")[0] for texts in invocations[:_MOST_COMMANDS])
        families += [Family(row.tool, program, ANY) for program in programs if program]
    return tuple(dict.fromkeys(families))


def _limited(triggers: dict[str, object], failed: list[StoredCall]) -> dict[str, object]:
    """Limits the trigger to the agents that failed, where the rule that they broke is their own program's."""
    if not all(is_of_client(row.error) for row in failed):
        return triggers
    when = triggers.get("when")
    own = {"agents": sorted({row.agent for row in failed})}
    return {**triggers, "when": {**when, **own} if isinstance(when, dict) else own}


def triggers_from_tag(tool: str, trigger: str, error: str = "", unless: str = "") -> Triggers | None:
    """Returns the trigger that an agent wrote into a tag; None if no lesson may have such patterns.

    Of a call and an error each is kept if it can be used by itself.
    """
    name = canonical_name(tool) if re.fullmatch(r"[\w@/.-]+", tool) else ""
    parts = [_at_call(name, trigger)] if _is_line(trigger) else []
    if _is_line(error):
        parts.append(Triggers(tool_names=[name] if name else [], error_patterns=[_tag_pattern(error)]))
    if unless.strip():
        parts = [msgspec.structs.replace(each, unless=[_tag_pattern(unless)]) for each in parts if _is_line(unless)]
    usable = [each for each in parts if _is_usable(each)]
    if len(usable) == 2:
        return msgspec.structs.replace(usable[0], error_patterns=usable[1].error_patterns)
    return usable[0] if usable else None


def _is_line(text: str) -> bool:
    return bool(text.strip()) and len(text) <= _LONGEST_TRIGGER and len(text.splitlines()) == 1


def _at_call(name: str, trigger: str) -> Triggers:
    if name in _ABOUT_FILES:
        return Triggers(tool_names=[name], path_patterns=[trigger])
    if name in ("", "Bash"):
        return Triggers(tool_names=["Bash"], command_patterns=[_tag_pattern(trigger)], match_on="invocation")
    return Triggers(tool_names=[name], command_patterns=[_tag_pattern(trigger)])


def _tag_pattern(trigger: str) -> str:
    if _REGEX.search(trigger):
        return trigger
    escaped = re.sub(r"([.^$*+?{}\[\]\\|()])", r"\\\1", " ".join(trigger.split()))
    return escaped + (r"\b" if escaped[-1].isalnum() else "")


def _is_usable(triggers: Triggers) -> bool:
    if any(trigger_problems(triggers)):
        return False
    patterns = (*triggers.command_patterns, *triggers.error_patterns, *triggers.unless)
    regexes = [to_python(pattern) for pattern in patterns]
    return not any(re.compile(*regex).search("") or find_danger(*regex) for regex in regexes)


def put_proposal(proposals: Proposals, candidate: Candidate, stored: StoredCandidate) -> ProposedTrigger:
    """Proposes a trigger and gives it to the candidate."""
    trigger = proposals.of(stored)
    candidate.fault = trigger.fault
    put_trigger(candidate, trigger)
    return trigger
