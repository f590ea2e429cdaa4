"""A promoted lesson in, what the hook would have of it out, and which part of that the history cannot know."""

from collections.abc import Iterable
from typing import NamedTuple

from lessons.config import Config
from lessons.match.call import ToolCall
from lessons.match.rule import Rule, conditions_hold, in_project
from lessons.model import Lesson
from lessons.promote.publish.publish import published_entry
from lessons.store.published import PublishedLesson, compile_source, when_of

# Conditions that a stored call tells enough about; all others are about the state of its machine back then.
_KNOWN_CONDITIONS = ("os", "shell", "agents", "models")
_WHERE_AND_WHEN = ("when", "projectPath", "projectRealPath")


class Learned(NamedTuple):
    """A lesson that acts."""

    lesson: PublishedLesson
    pattern: Rule  # what it fires on wherever the call is made
    conditions: dict[str, list[str]]
    is_uncertain: bool  # it has conditions that nobody can check any more: it stays quiet
    calls: frozenset[str]  # the failed calls that it was learned from

    @property
    def is_note(self) -> bool:
        """Whether it is shown when a session starts."""
        return self.lesson.rule.session_start

    def applies(self, call: ToolCall) -> bool:
        return not self.is_uncertain and self.may_apply(call)

    def may_apply(self, call: ToolCall) -> bool:
        """Whether nothing that is known speaks against it."""
        return conditions_hold(self.conditions, call) and in_project(self.lesson.rule.projects, call.cwd)


def learned_from(lesson: Lesson, settings: Config, calls: Iterable[str]) -> Learned | None:
    """None where publishing leaves the lesson out."""
    published, reason = published_entry(lesson, settings)
    return None if reason else learned_entry(lesson.id, published.entry, calls)


def learned_entry(identifier: str, entry: dict[str, object], calls: Iterable[str]) -> Learned:
    """The same from an entry of the manifest."""
    bare = {key: value for key, value in entry.items() if key not in _WHERE_AND_WHEN}
    when = when_of(entry)
    return Learned(
        PublishedLesson(identifier, entry, compile_source),
        PublishedLesson(identifier, bare, compile_source).rule,
        {name: wanted for name, wanted in when.items() if name in _KNOWN_CONDITIONS},
        any(name not in _KNOWN_CONDITIONS for name in when),
        frozenset(calls),
    )
