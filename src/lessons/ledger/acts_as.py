"""What a lesson does at a call that it matches: hint, stop or block."""

from lessons.model import Lesson
from lessons.prove.tend.facts import ActsAs


def acts_as(lesson: Lesson) -> ActsAs:
    if is_about_missing(lesson):
        return "hint"
    return "block" if lesson.block else "stop" if lesson.stop_once else "hint"


def is_about_missing(lesson: Lesson) -> bool:
    """Whether the lesson is about a missing program: such a lesson only ever hints."""
    return lesson.triggers.when is not None and bool(lesson.triggers.when.missing)
