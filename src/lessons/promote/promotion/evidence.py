"""Builds the evidence of a lesson: examples, tags, sessions."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from lessons.candidate import FAILURE, IMPORT, REPORT, REVIEW, CandidateKind
from lessons.lesson_fields import BEFORE_A_CALL
from lessons.match.rule import Rule
from lessons.match.tools import canonical_name
from lessons.model import MOST_SOURCE_SESSIONS
from lessons.promote.promotion.text import plain
from lessons.promote.publish import examples
from lessons.promote.queue.candidate import Candidate
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall

MOST_EXAMPLES = 3
_LONGEST_EXAMPLE = 300
_TAG = re.compile(r"[a-z][a-z0-9_-]{0,30}:[^\s:,]{1,60}")
_MOST_TAGS = 8
_PROGRAM = re.compile(r"[A-Za-z][\w.+-]{0,40}")
_NO_TOPIC: tuple[CandidateKind, ...] = ("tag", "correction", IMPORT, REVIEW, REPORT)

Example = str | dict[str, str]


class Calls(msgspec.Struct, frozen=True):
    failed: list[StoredCall]
    fixed: list[StoredCall]


def calls_of(history: History, candidates: Sequence[Candidate]) -> Calls:
    evidence = [each for candidate in candidates for each in candidate.evidence]
    failed = history.calls.named(each.tool_use_id for each in evidence if each.tool_use_id)
    fixed = history.calls.named(each.fix_tool_use_id for each in evidence if each.fix_tool_use_id)
    return Calls(failed, fixed)


def examples_of(document: dict[str, object], calls: Calls) -> dict[str, list[Example]] | None:
    """Returns up to three calls that it fires on and three that it does not, each checked."""
    if not calls.failed:
        return None
    rule = examples.rule_of_record(document)
    fires = _chosen(rule, calls.failed, True, _fires_on_errors_alone(document))
    # A lesson that fires on nothing needs no quiet examples either.
    quiet = _chosen(rule, calls.fixed, False) if fires else []
    return {"fires": fires, "quiet": quiet} if fires else None


def _chosen(rule: Rule, calls: Iterable[StoredCall], fires: bool, with_error: bool = False) -> list[Example]:
    chosen: list[Example] = []
    for call in calls:
        example = _example(call, with_error)
        if example and example not in chosen and examples.fires_on(rule, example) == fires:
            chosen.append(example)
        if len(chosen) == MOST_EXAMPLES:
            break
    return chosen


def _fires_on_errors_alone(document: dict[str, object]) -> bool:
    triggers = _triggers(document)
    return "errorPatterns" in triggers and not any(field.name in triggers for field in BEFORE_A_CALL)


def _triggers(document: dict[str, object]) -> dict[str, object]:
    triggers = document.get("triggers")
    return triggers if isinstance(triggers, dict) else {}


def _example(call: StoredCall, with_error: bool) -> Example | None:
    """Returns the call as an example; None if it is too long or nothing would be left of it."""
    parts = {"tool": call.tool, "command": call.command, "path": _path(call)}
    if with_error:
        parts["error"] = plain(call.error, _LONGEST_EXAMPLE)
    given = {name: value for name, value in parts.items() if value}
    if any(len(value) > _LONGEST_EXAMPLE or plain(value) != value.strip() for value in given.values()):
        return None
    if len(given) < 2:
        return None
    return call.command if canonical_name(call.tool) == "Bash" and not with_error else given


def _path(call: StoredCall) -> str:
    try:
        arguments = msgspec.json.decode(call.arguments)
    except msgspec.MsgspecError:
        return ""
    path = arguments.get("file_path") if isinstance(arguments, dict) else None
    return path if isinstance(path, str) else ""


def tags_of(candidates: Sequence[Candidate], calls: Calls) -> list[str]:
    """Returns the candidates' own tags, the program it is about, and the kind of mistake."""
    found = [tag for candidate in candidates for tag in candidate.tags]
    first = candidates[0]
    # A person's answer to a call, or an agent's tag, need not be about the tool of the call.
    is_named = any(tag.startswith("tool:") for tag in first.tags)
    if first.tier == FAILURE and not is_named and (tool := _program(first, calls)):
        found.append(f"tool:{tool.lower()}")
    if first.kind not in _NO_TOPIC:
        found.append(f"topic:{first.kind}")
    return [tag for tag in dict.fromkeys(found) if _TAG.fullmatch(tag)][:_MOST_TAGS]


def _program(candidate: Candidate, calls: Calls) -> str:
    """Returns the blamed command from the trigger; the line of the call may have others before it."""
    blamed = candidate.trigger.split(" ")[0]
    if _PROGRAM.fullmatch(blamed):
        return blamed
    return next((call.program or canonical_name(call.tool) for call in calls.failed), "")


def sessions_of(candidates: Sequence[Candidate], known: Sequence[str] = ()) -> list[str]:
    """Returns the first few; existing ones stay."""
    found = [session for candidate in candidates for session in candidate.source_session_ids]
    return list(dict.fromkeys([*known, *found]))[:MOST_SOURCE_SESSIONS]


def added_evidence(record: dict[str, object], candidate: Candidate, calls: Calls) -> dict[str, object]:
    """Returns the evidence of a lesson together with that of a candidate."""
    sessions, count = record.get("sourceSessionIds"), record.get("occurrenceCount")
    changes: dict[str, object] = {
        "sourceSessionIds": sessions_of([candidate], sessions if isinstance(sessions, list) else []),
        "occurrenceCount": (count if isinstance(count, int) else 0) + candidate.occurrence_count,
    }
    more = examples_of(record, calls)
    known = record.get("examples")
    before = known if isinstance(known, dict) else {}
    if more:
        added = {side: _together(before.get(side), more[side]) for side in ("fires", "quiet")}
        changes["examples"] = {**before, **added}
    return changes


def _together(known: object, more: list[Example]) -> list[object]:
    """Returns all existing ones and a few of the new ones."""
    before: list[object] = list(known) if isinstance(known, list) else []
    fresh: list[object] = [example for example in more if example not in before]
    return before + fresh[: max(0, MOST_EXAMPLES - len(before))]
