"""Compiles the rule that publishing would make of a trigger, and reports what it would leave out."""

from typing import NamedTuple

import msgspec

from lessons.errors import Refused
from lessons.match.rule import Rule
from lessons.model import Lesson, Scope, Triggers
from lessons.promote.publish import entry as entries
from lessons.promote.slow_regex.probe import find_danger
from lessons.store.published import PublishedLesson, compile_source

EVERYWHERE = Scope(type="global")


class Compiled(NamedTuple):
    """The rule as the hook has it, and one sentence for each pattern that is left out."""

    rule: Rule
    left_out: list[str]


def compiled(triggers: Triggers, scope: Scope = EVERYWHERE, block_or_stop: bool = False) -> Compiled:
    """Returns what a lesson with this trigger would do; raises Refused if publishing would leave the lesson out."""
    words = Lesson(id="tried", slug="tried", summary="", problem="", solution="")
    lesson = msgspec.structs.replace(words, triggers=triggers, scope=scope, stop_once=block_or_stop)
    published = entries.entry_without_literals(lesson, find_danger)
    if not entries.can_fire(published.entry) or entries.is_widened(lesson, published.entry):
        raise Refused(" ".join(published.left_out) or "The trigger is empty: give a pattern or a tool.")
    return Compiled(PublishedLesson("tried", published.entry, compile_source).rule, published.left_out)
