"""What the hook would know of a promoted lesson, and which part of that the history cannot decide."""

from collections.abc import Iterable
from typing import NamedTuple

from lessons.config import Config
from lessons.match.call import ToolCall
from lessons.match.rule import Rule, conditions_hold, in_project
from lessons.match.state import judge
from lessons.model import Lesson
from lessons.promote.publish.compile import published_entry
from lessons.store.published import PublishedLesson, compile_source


class Learned(NamedTuple):
    """A lesson that acts."""

    lesson: PublishedLesson
    pattern: Rule  # what it fires on wherever the call is made and whatever the state of the machine
    calls: frozenset[str]  # the failed calls that it was learned from

    @property
    def is_note(self) -> bool:
        """Whether it is shown when a session starts."""
        return self.lesson.rule.session_start

    def is_meant(self, call: ToolCall) -> bool:
        """Whether it is about the place of the call and who makes it."""
        rule = self.lesson.rule
        return conditions_hold(rule.when, call) and in_project(rule.projects, call.cwd)

    def acts_on(self, call: ToolCall) -> bool | None:
        """Whether it acts on a call that its pattern fires on; None: the history does not tell enough of the state."""
        if not self.is_meant(call):
            return False
        if not self.lesson.rule.has_state:
            return True
        verdict = judge(self.lesson.rule, call)
        return True if verdict.why else None if verdict.is_unknown else False


def learned_from(lesson: Lesson, settings: Config, calls: Iterable[str]) -> Learned | None:
    """None if publishing leaves the lesson out."""
    published, reason = published_entry(lesson, settings)
    return None if reason else learned_entry(lesson.id, published.entry, calls)


def learned_entry(identifier: str, entry: dict[str, object], calls: Iterable[str]) -> Learned:
    """The same from an entry of the manifest."""
    pattern = PublishedLesson(identifier, entry, compile_source).rule
    pattern.when, pattern.state, pattern.folder, pattern.projects = {}, {}, (), ()
    return Learned(PublishedLesson(identifier, entry, compile_source), pattern, frozenset(calls))
