"""Builds manifest entries of a project's lesson files, for checks that need no data home."""

from lessons.promote.publish.entry import entry_of
from lessons.promote.slow_regex.probe import find_danger
from lessons.promote.team.judge import judge


def shared_entries(root: str) -> dict[str, dict[str, object]]:
    """Returns entries by slug; leaves out lessons with a problem, which `lessons verify` reports."""
    accepted = [each.lesson for each in judge(root) if each.lesson is not None and not each.problems]
    return {lesson.slug: entry_of(lesson, find_danger).entry for lesson in accepted}
