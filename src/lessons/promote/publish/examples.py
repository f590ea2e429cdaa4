"""Checks that a lesson fires on its examples as it should, and whether two lessons fire on the same calls."""

from collections.abc import Iterator
from typing import Any

import msgspec

from lessons.match.call import ToolCall
from lessons.match.rule import Rule
from lessons.match.state import AsWanted, KnownState
from lessons.match.time_limit import why_it_fires
from lessons.model import ExampleCall, Lesson, lesson_from_document, shown
from lessons.promote.publish.entry import entry_without_literals
from lessons.promote.publish.literals import tree_of
from lessons.promote.publish.slow import sample
from lessons.store.manifest import PublishedLesson, compile_source

_ROOT = "/project"
_MADE = ("command", "path", "content", "error")  # attributes of a rule, and of an example


def fires(document: dict[str, object], example: str | dict[str, Any]) -> bool:
    """Whether a lesson record fires on an example, at any place and time."""
    return fires_on(rule_of_record(document), example)


def rule_of_record(document: dict[str, object]) -> Rule:
    """Returns the rule, to check many examples of one lesson record."""
    blank = {"id": "example", "slug": "example"}
    return rule_of(entry_without_literals(lesson_from_document({**blank, **document})).entry)


def fires_on(rule: Rule, example: str | dict[str, Any]) -> bool:
    return _fires(rule, ExampleCall(**example) if isinstance(example, dict) else example)


def failures(lesson: Lesson, entry: dict[str, object]) -> list[str]:
    """Returns one sentence for each example with a result other than the lesson says."""
    if lesson.examples is None:
        return []
    rule = rule_of(entry)
    wrong = [
        f"the example {_shown(example)} should fire and does not: correct the trigger or the example."
        for example in lesson.examples.fires
        if not _fires(rule, example)
    ]
    return wrong + [
        f"the example {_shown(example)} should be left alone and fires: correct the trigger or the example."
        for example in lesson.examples.quiet
        if _fires(rule, example)
    ]


def rule_of(entry: dict[str, object]) -> Rule:
    """Returns the rule of an entry without its environment: an example is about the call, and the state it names."""
    rule = PublishedLesson("example", entry, compile_source).rule
    rule.when, rule.projects = {}, ()
    return rule


def fire_together(*lessons: Lesson) -> bool:
    """Whether all fire on a call that one of them was made for, however their patterns are spelled."""
    rules = [rule_of(entry_without_literals(each).entry) for each in lessons]
    calls = (call for lesson, rule in zip(lessons, rules, strict=True) for call in _typical_calls(lesson, rule))
    return any(all(_fires(rule, call) for rule in rules) for call in calls)


def _typical_calls(lesson: Lesson, rule: Rule) -> Iterator[str | ExampleCall]:
    """Yields the examples of the lesson, then calls made of its patterns: short and long forms of what they match."""
    yield from lesson.examples.fires if lesson.examples else ()
    tool = next(iter(lesson.triggers.tool_names), None)
    for kind in _MADE:
        for pattern in getattr(rule, kind):
            for variant in (0, 1):
                text = sample(tree_of(pattern.pattern, pattern.flags), variant)
                yield msgspec.convert(
                    {"tool": tool, "path": "x" if kind == "content" else None, kind: text}, ExampleCall
                )


def call_of(example: str | ExampleCall) -> ToolCall:
    """Returns the call of an example; without a tool it is a shell command, or an edit of a path.

    An example that says nothing about files and programs is in the state that the lesson requires.
    """
    example = ExampleCall(tool="Bash", command=example) if isinstance(example, str) else example
    tool = example.tool or ("Bash" if example.command is not None or example.path is None else "Edit")
    arguments = {"command": example.command, "file_path": example.path, "content": example.content}
    given = {key: value for key, value in arguments.items() if value is not None}
    folder = "here" if example.folder is None else example.folder
    # A path without a folder stays as written.
    cwd = f"{_ROOT}/{folder}".rstrip("/.") if example.folder is not None or example.path is None else ""
    call = ToolCall(tool, given, error=example.error, cwd=cwd)
    if example.folder is not None or example.present or example.missing or example.dirty:
        there = {f"{_ROOT}/{path}": True for path in (".git", example.folder or ".", *example.present)}
        absent = dict.fromkeys(example.missing, False)
        call.probe = KnownState(there, absent, _ROOT, other_paths=False, other_programs=True, dirty=example.dirty)
    else:
        call.probe = AsWanted()
    return call


def _fires(rule: Rule, example: str | ExampleCall) -> bool:
    return why_it_fires(rule, call_of(example)) is not None


def _shown(example: str | ExampleCall) -> str:
    if isinstance(example, str):
        return shown(example)
    return shown(msgspec.to_builtins(example))
