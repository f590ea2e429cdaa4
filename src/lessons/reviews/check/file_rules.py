"""The published lessons that can be checked on files, with the literals that a match needs."""

from collections.abc import Mapping
from typing import NamedTuple

from lessons.match.call import ToolCall
from lessons.match.rule import in_project
from lessons.store.published import PublishedLesson, compile_source

_WRITERS = ("Write", "Edit")


class FileRule(NamedTuple):
    """A lesson, and literals of which every matching text has at least one; None: unknown."""

    lesson: PublishedLesson
    literals: tuple[str, ...] | None

    def may_fire(self, folded: str) -> bool:
        return self.literals is None or any(literal in folded for literal in self.literals)


def file_rules(entries: Mapping[str, dict[str, object]], root: str) -> list[FileRule]:
    """Returns the active lessons about file contents or names, ordered by slug.

    Skips lessons with conditions on the machine's state or the agent's surroundings: they are about calls.
    """
    found = []
    for identifier, entry in entries.items():
        if entry.get("stage") in ("shadow", "retired"):
            continue
        if not entry.get("contentRegexSources") and not entry.get("pathRegexSources"):
            continue
        try:
            lesson = PublishedLesson(identifier, entry, compile_source)
        except Exception:  # a bad pattern, already reported by `lessons build`
            continue
        if _is_about_files(lesson) and in_project(lesson.rule.projects, root):
            literals = entry.get("literals")
            found.append(FileRule(lesson, tuple(map(str, literals)) if isinstance(literals, list) else None))
    return sorted(found, key=lambda rule: rule.lesson.slug)


def _is_about_files(lesson: PublishedLesson) -> bool:
    rule = lesson.rule
    writes = not rule.tools or any(name in rule.tools for name in _WRITERS)
    return writes and not rule.has_state and not rule.when and not rule.session_start


def call_of(root: str, path: str, content: str) -> ToolCall:
    """Returns the call that would write this file, by either of the writing tools."""
    call = ToolCall("Write", {"file_path": path, "content": content}, cwd=root)
    call.names = _WRITERS
    return call
