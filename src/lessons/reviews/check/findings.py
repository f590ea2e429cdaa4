"""What the rules find in one file, line by line."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from lessons.match.rule import find
from lessons.reviews.check.exclusions import MARK, reason_for
from lessons.reviews.check.file_rules import FileRule
from lessons.reviews.check.firing import FiringRules

_MOST_PER_RULE = 20
_MOST_EXCLUDED = 10_000
_FIRST_LINES = 10


class Found(msgspec.Struct, frozen=True):
    """A lesson that fires on a line of a file; `excluded` if a comment there gives a reason."""

    file: str
    line: int
    slug: str
    message: str
    excluded: bool = False


def findings_in(root: str, path: str, content: str, rules: FiringRules) -> list[Found]:
    """Returns findings in the order of the rules."""
    return [found for rule in rules.on(root, path, content) for found in _of_rule(rule, path, content)]


def _of_rule(rule: FileRule, path: str, content: str) -> Iterator[Found]:
    lesson = rule.lesson
    lines = content.split("\n") if MARK in content else []
    if not lesson.rule.content:
        reasons = [reason_for(lesson.slug, lines, number) for number in range(1, min(len(lines), _FIRST_LINES) + 1)]
        yield Found(path, 1, lesson.slug, lesson.summary, any(reasons))
        return
    reported = 0
    for number in _line_numbers(lesson.rule.content, content, _MOST_EXCLUDED if lines else _MOST_PER_RULE):
        if reported == _MOST_PER_RULE:
            return
        reason = reason_for(lesson.slug, lines, number) if lines else None
        more = " (the comment that excludes it gives no reason)" if reason == "" else ""
        reported += not reason
        yield Found(path, number, lesson.slug, lesson.summary + more, bool(reason))


def _line_numbers(patterns: Sequence[re.Pattern[str]], content: str, most: int) -> list[int]:
    """Returns the lines on which a match of one of the patterns starts, at most `most`."""
    found: set[int] = set()
    for pattern in patterns:
        position, number, counted = 0, 1, 0
        while len(found) < most and (match := find(pattern, content, position)):
            number += content.count("\n", counted, match.start())
            counted = match.start()
            found.add(number)
            end = content.find("\n", match.start())
            if end < 0:
                break
            position = end + 1
    return sorted(found)
