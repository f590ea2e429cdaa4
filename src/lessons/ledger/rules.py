"""The rules of lessons as the hook uses them; a lesson excluded by publishing never fires."""

from collections.abc import Iterable

from lessons.match.rule import Rule
from lessons.model import Lesson
from lessons.promote.publish import entry as entries
from lessons.promote.slow_regex.memory import remembering
from lessons.promote.slow_regex.probe import find_danger
from lessons.store.published import PublishedLesson, compile_source


def rules_of(home: str, lessons: Iterable[Lesson]) -> dict[str, Rule]:
    """Returns rules by lesson id, also of retired lessons: what they did before counts."""
    with remembering(home):
        return {each.id: _rule_of(each) for each in lessons}


def _rule_of(lesson: Lesson) -> Rule:
    entry = entries.entry_of(lesson, find_danger).entry
    if not entries.can_fire(entry) or entries.is_widened(lesson, entry):
        return Rule()
    return PublishedLesson(lesson.id, entry, compile_source).rule
