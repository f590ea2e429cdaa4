"""What the hook would know of a promoted lesson, and the part that the history cannot decide."""

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
    """An active lesson."""

    lesson: PublishedLesson
    pattern: Rule  # its trigger without conditions on place and state of the machine
    calls: frozenset[str]  # the failed calls that it was learned from

    @property
    def is_note(self) -> bool:
        """Whether it is shown at session start."""
        return self.lesson.rule.session_start

    def is_meant(self, call: ToolCall) -> bool:
        """Whether it applies to the call's place and agent."""
        rule = self.lesson.rule
        return conditions_hold(rule.when, call) and in_project(rule.projects, call.cwd)

    def acts_on(self, call: ToolCall) -> bool | None:
        """Whether it acts on a call that its pattern fires on; None: the history has too little about the state."""
        if not self.is_meant(call):
            return False
        if not self.lesson.rule.has_state:
            return True
        verdict = judge(self.lesson.rule, call)
        return True if verdict.why else None if verdict.is_unknown else False


def learned_from(lesson: Lesson, settings: Config, calls: Iterable[str]) -> Learned | None:
    """Returns None if publishing excludes the lesson."""
    published, reason = published_entry(lesson, settings)
    return None if reason else learned_entry(lesson.id, published.entry, calls)


def learned_entry(identifier: str, entry: dict[str, object], calls: Iterable[str]) -> Learned:
    """Builds the same from an entry of the manifest."""
    pattern = PublishedLesson(identifier, entry, compile_source).rule
    pattern.when, pattern.state, pattern.folder, pattern.projects = {}, {}, (), ()
    return Learned(PublishedLesson(identifier, entry, compile_source), pattern, frozenset(calls))
