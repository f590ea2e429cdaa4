"""Finds published lessons that are close: by the words of a query, or to a call on which none fires, and why not."""

import copy
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from lessons.errors import LessonsError
from lessons.match.call import ToolCall, fold
from lessons.match.rule import Rule, in_project
from lessons.match.time_limit import judge, occurs, why_it_fires
from lessons.model import Lesson
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.slow import find_danger
from lessons.promote.similarity import tokens
from lessons.store import lesson_file, manifest
from lessons.store.manifest import REGEX_KEYS, PublishedLesson, compile_source, projects_of

MOST_MISSES = 3
_WORD = re.compile(r"[\w-]{3,}")

# A condition of a lesson, and the parts of its rule without which it sets none.
_CONDITIONS = {
    "tool": ("tools",),
    "scope": ("projects",),
    "when": ("when", "state", "folder"),
    "matchOn": ("invocation", "script", "whole_line"),
    "unless": ("unless",),
}

Entry = dict[str, object]


class NearMiss(NamedTuple):
    """`condition`: unless, scope, when, tool, matchOn, stage, needsReview or build."""

    slug: str
    condition: str
    detail: str


def near_misses(call: ToolCall, entries: Iterable[Entry], resting: Iterable[Lesson] = ()) -> list[NearMiss]:
    """Returns those that would fire without one of their conditions, and those that are not in the manifest."""
    # A pattern must have one of these words to be about such a call.
    words = set(_WORD.findall(fold(_text(call))))
    found: list[NearMiss] = []
    for entry in entries:
        if words & set(_WORD.findall(fold(repr(entry.get("commandRegexSources"))))) or not call.is_shell:
            with suppress(Exception):  # a foreign manifest may contain anything; the hook skips such a lesson
                found += filter(None, [_of(call, PublishedLesson("", entry, compile_source))])
    for lesson in resting:
        # Nobody has probed these patterns.
        entry = entry_of(lesson, find_danger).entry
        if why_it_fires(PublishedLesson("", entry, compile_source).rule, call):
            condition, detail = "build", "it is left out of the build; `lessons build` shows why."
            if lesson.stage == "retired":
                condition, detail = "stage", f"it is retired: `lessons unarchive {lesson.slug}` brings it back."
            elif lesson.needs_review:
                condition, detail = "needsReview", "it needs a review."
            found.append(NearMiss(lesson.slug, condition, detail))
    return sorted(found)[:MOST_MISSES]


def _of(call: ToolCall, lesson: PublishedLesson) -> NearMiss | None:
    rule = lesson.rule
    if rule.session_start or not lesson.slug:
        return None
    for condition, parts in _CONDITIONS.items():
        without = copy.copy(rule)
        for part in parts:
            present = getattr(rule, part)
            setattr(without, part, call.names if part == "tools" and present else type(present)())
        if why_it_fires(without, call):
            return NearMiss(lesson.slug, condition, _detail(condition, rule, call))
    return None


def _detail(condition: str, rule: Rule, call: ToolCall) -> str:
    """Says what the condition asks for and what the call has instead."""
    if condition == "tool":
        return f"it looks at {' and '.join(dict.fromkeys(rule.tools[:3]))} only, and the tool is {call.names[-1]}."
    if condition == "scope":
        return f"it is for {rule.projects[0]} only, and the call is in {call.cwd or 'no folder'}."
    if condition == "when" and not rule.has_state:
        wanted = ", ".join(f"{name} {' or '.join(values)}" for name, values in rule.when.items())
        return f"it is only for: {wanted}."
    if condition == "when":
        states = [f"{name} {' and '.join(values)}" for name, values in rule.state.items()]
        states += ["a certain folder of the project"] if rule.folder else []
        fault = "cannot be checked for this command" if judge(rule, call).is_unknown else "is not so here"
        return f"it asks for {', '.join(states)}, which {fault}."
    if condition == "matchOn":
        place = "at the start of a command" if rule.invocation else "in code for an interpreter"
        return f"its pattern is in the line, but not {place}."
    text = _text(call)
    veto = next((pattern.pattern for pattern in rule.unless if occurs(rule, [pattern], text)), "a pattern")
    return f"`{veto}` under its `unless` matches the call."


def _text(call: ToolCall) -> str:
    return "\n".join(filter(None, (call.command, *call.paths, *call.strings, call.content)))


def published(home: str) -> dict[str, Entry]:
    """Returns the entries of the manifest by id; none if it cannot be used."""
    try:
        return manifest.read(home)[1]
    except manifest.UnusableManifest:
        return {}


def resting(home: str) -> list[Lesson]:
    """Returns lessons that are not in the manifest for any reason."""
    entries = published(home)
    try:
        return [lesson for lesson in lesson_file.read(home).lessons() if lesson.id not in entries]
    except LessonsError:  # already reported by the warning about the build
        return []


# By words, for a folder.

_TEXTS = ("slug", "summary", "injection", "blockReason")


def active_lessons(home: str, folder: str) -> list[PublishedLesson]:
    """Returns all that act in the folder, most important first; none if nothing is published."""
    return sorted(_active(home, folder), key=lambda lesson: (-lesson.priority, lesson.slug))


def find_lessons(home: str, folder: str, query: str, limit: int) -> list[PublishedLesson]:
    """Returns those that share words with the query; more shared words first, then the more important."""
    wanted, entries = tokens(query), published(home)
    shared = {}
    for each in _active(home, folder):
        entry = entries[each.identifier]
        lists = [entry.get(key) for key in ("tags", "toolNames", *REGEX_KEYS)]  # patterns contain the command
        items = [item for values in lists if isinstance(values, list) for item in values]
        text = " ".join(map(str, [*(entry.get(key) or "" for key in _TEXTS), *items]))
        shared[each] = len(wanted & tokens(text))
    found = [each for each, number in shared.items() if number]
    return sorted(found, key=lambda each: (-shared[each], -each.priority, each.slug))[:limit]


def _active(home: str, folder: str) -> list[PublishedLesson]:
    return [
        PublishedLesson(identifier, entry, compile_source)
        for identifier, entry in published(home).items()
        if entry.get("stage") != "shadow" and in_project(projects_of(entry), folder)
    ]
