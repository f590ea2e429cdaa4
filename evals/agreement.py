"""A data home and its queue in, whether back-test and hook agree on every stored call out."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from tempfile import TemporaryDirectory

import msgspec

from evals.mined import Found
from lessons import config, paths
from lessons.agents.claude_code import wire
from lessons.agents.hook_event import AFTER_FAILURE, BEFORE_CALL
from lessons.errors import Refused
from lessons.hook.lookup import matching
from lessons.match.call import ToolCall
from lessons.model import Lesson, lesson_from_document
from lessons.promote.backtest import compiled
from lessons.promote.matching import hits
from lessons.promote.publish.build import write_lessons
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.slow import find_danger
from lessons.promote.starter import pack
from lessons.store.history.history import History

_CALLS = "SELECT tool_use_id, session_id, tool, arguments, cwd, outcome, error FROM calls ORDER BY id"
_MOST_SHOWN = 20

Fired = set[tuple[str, str]]  # slug and tool use id


class Agreement(msgspec.Struct, frozen=True):
    """How many calls were put to how many triggers, how often one fired, and where the two say different things."""

    triggers: int
    calls: int
    fired: int
    differences: list[tuple[str, str]]


def agreement(home: str, found: Sequence[Found]) -> Agreement:
    """Every proposed trigger and those of the starter pack."""
    lessons = list(_lessons(found))
    with closing(sqlite3.connect(paths.history_file(home))) as connection:
        connection.row_factory = sqlite3.Row
        calls = connection.execute(_CALLS).fetchall()
    with History.for_reading(home) as history:
        by_backtest = {(lesson.slug, call) for lesson in lessons for call in _hits(history, lesson)}
    by_hook = _by_hook(lessons, calls)
    return Agreement(len(lessons), len(calls), len(by_hook), sorted(by_backtest ^ by_hook))


def about(found: Agreement) -> Iterator[str]:
    """The lines of the report."""
    yield (
        f"Back-test and hook: {found.triggers} triggers on {found.calls:,} calls fired {found.fired:,} times,"
        f" {len(found.differences)} differences"
    )
    yield from (f"  {slug} {call}" for slug, call in found.differences[:_MOST_SHOWN])


def _lessons(found: Sequence[Found]) -> Iterator[Lesson]:
    """Those that publishing would take, but for conditions on the state: the past and this machine differ in that."""
    blank = {"summary": "", "problem": "", "solution": ""}
    proposed = [(f"candidate-{each.index}", each.proposed_trigger) for each in found if each.proposed_trigger]
    documents: list[dict[str, object]] = [{**blank, "slug": slug, "triggers": triggers} for slug, triggers in proposed]
    for number, document in enumerate([*documents, *pack()]):
        lesson = lesson_from_document({**document, "id": f"L{number}"})
        try:
            rule = compiled(lesson.triggers, lesson.scope, lesson.block or lesson.stop_once).rule
        except Refused:
            continue
        if not rule.has_state:
            yield lesson


def _hits(history: History, lesson: Lesson) -> Iterator[str]:
    rule = compiled(lesson.triggers, lesson.scope, lesson.block or lesson.stop_once).rule
    return (past.tool_use_id for past in hits(history, rule))


def _call(event: str, payload: dict[str, object]) -> ToolCall | None:
    parsed = wire.parse(event, payload)
    return parsed.call if parsed else None


def _by_hook(lessons: Sequence[Lesson], calls: Sequence[sqlite3.Row]) -> Fired:
    """What the hook itself finds in its index, at both moments of each call."""
    fired: Fired = set()
    with TemporaryDirectory(prefix="lessons-eval-") as home:
        entries = {lesson.id: entry_of(lesson, find_danger).entry for lesson in lessons}
        write_lessons(home, config.load(home, {}), entries, "2026-01-01T00:00:00Z")
        for row in calls:
            payload = {"session_id": row["session_id"], "cwd": row["cwd"], "tool_name": row["tool"]}
            payload["tool_input"] = json.loads(row["arguments"])
            moments = [(BEFORE_CALL, _call(BEFORE_CALL, payload))]
            if row["outcome"] == "failed" and row["error"]:
                moments.append((AFTER_FAILURE, _call(AFTER_FAILURE, {**payload, "error": row["error"]})))
            for event, call in moments:
                if call is not None:
                    fired.update((lesson.slug, row["tool_use_id"]) for lesson, _ in matching(home, event, call)[1])
    return fired
