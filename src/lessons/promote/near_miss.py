"""Finds the lessons that nearly fire on a call, and why they do not."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lessons.errors import LessonsError
from lessons.match.call import ToolCall, fold
from lessons.match.dialect import to_python
from lessons.match.rule import Rule, conditions_hold, in_project, occurs
from lessons.match.time_limit import judge, why_it_fires
from lessons.model import Lesson
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.literals import all_literal_sets
from lessons.promote.publish.slow import find_danger
from lessons.store import lesson_file, manifest
from lessons.store.published import PublishedLesson, compile_source

MOST_MISSES = 3
_WORD = re.compile(r"[\w-]{3,}")
# The share of a pattern's needed words that must be in the call.
_LEAST_SHARE = 0.5

Entry = dict[str, object]


class NearMiss(NamedTuple):
    """`condition`: unless, scope, when, tool, matchOn, stage, needsReview, build or pattern."""

    slug: str
    condition: str
    detail: str


def near_misses(call: ToolCall, entries: Iterable[Entry], resting: Iterable[Lesson] = ()) -> list[NearMiss]:
    """Returns those with a single failing condition first, then those with most pattern words in the call.

    `resting` are lessons that are not in the manifest for any reason.
    """
    words = words_of(call)
    found: list[tuple[float, NearMiss]] = []
    for entry in entries:
        if words & set(_WORD.findall(fold(repr(entry.get("commandRegexSources"))))) or not call.is_shell:
            found += _of(call, entry)
    for lesson in resting:
        # Nobody has probed these patterns.
        entry = entry_of(lesson, find_danger).entry
        if why_it_fires(_published(entry).rule, call):
            found.append((2.0, _asleep(lesson)))
    found.sort(key=lambda each: (-each[0], each[1].slug))
    return [miss for _, miss in found[:MOST_MISSES]]


def words_of(call: ToolCall) -> set[str]:
    """Returns words of the call: a pattern must have one of them to be about such a call."""
    return set(_WORD.findall(fold(_text(call))))


def _of(call: ToolCall, entry: Entry) -> Iterator[tuple[float, NearMiss]]:
    try:
        lesson = _published(entry)
    except Exception:  # a foreign manifest may contain anything; the hook skips such a lesson
        return
    if lesson.rule.session_start or not lesson.slug:
        return
    if why_it_fires(_bare(lesson.rule, call), call):
        for condition, detail in _failing(lesson.rule, call)[:1]:
            yield 2.0, NearMiss(lesson.slug, condition, detail)
        return
    score, missing = _shared_words(lesson.rule, call)
    if score >= _LEAST_SHARE and missing:
        needs = " and ".join(f"`{word}`" for word in missing[:3])
        yield score, NearMiss(lesson.slug, "pattern", f"its pattern also needs {needs}, which is not in the call.")


def _published(entry: Entry) -> PublishedLesson:
    return PublishedLesson("", entry, compile_source)


def _bare(rule: Rule, call: ToolCall, **kept: object) -> Rule:
    """Returns only the patterns, with just the conditions that are given."""
    conditions: dict[str, object] = {"unless": (), "projects": (), "when": {}, "invocation": False, "script": False}
    conditions["tools"] = call.names if rule.tools else ()
    patterns = {"command": rule.command, "path": rule.path, "content": rule.content, "error": rule.error}
    return Rule(**{**patterns, **conditions, **kept})  # type: ignore[arg-type]


def _failing(rule: Rule, call: ToolCall) -> list[tuple[str, str]]:
    """Returns each condition that prevents the lesson from firing, in the order in which a person would check."""
    found = []
    patterns = rule.command or rule.path or rule.content or rule.error
    if patterns and rule.tools and not any(name in rule.tools for name in call.names):
        found.append(("tool", f"it looks at {_names(rule.tools)} only, and the tool is {call.names[-1]}."))
    if not in_project(rule.projects, call.cwd):
        found.append(("scope", f"it is for {rule.projects[0]} only, and the call is in {call.cwd or 'no folder'}."))
    if not conditions_hold(rule.when, call):
        wanted = ", ".join(f"{name} {' or '.join(values)}" for name, values in rule.when.items())
        found.append(("when", f"it is only for: {wanted}."))
    if rule.has_state:
        found += _failing_state(rule, call)
    where = {"invocation": rule.invocation, "script": rule.script, "whole_line": rule.whole_line}
    if rule.invocation and not why_it_fires(_bare(rule, call, **where), call):
        found.append(("matchOn", "its pattern is in the line, but not at the start of a command."))
    if rule.script and not why_it_fires(_bare(rule, call, **where), call):
        found.append(("matchOn", "its pattern is in the line, but not in code for an interpreter."))
    if rule.unless and not why_it_fires(_bare(rule, call, unless=rule.unless, **where), call):
        vetoes = [pattern.pattern for pattern in rule.unless if occurs(pattern, _text(call))]
        named = f"`{vetoes[0]}`" if vetoes else "a pattern"
        found.append(("unless", f"{named} under its `unless` matches the call."))
    return found


def _failing_state(rule: Rule, call: ToolCall) -> list[tuple[str, str]]:
    verdict = judge(_bare(rule, call, invocation=rule.invocation, state=rule.state, folder=rule.folder), call)
    if verdict.why:
        return []
    wanted = [f"{name} {' and '.join(values)}" for name, values in rule.state.items()]
    wanted += ["a certain folder of the project"] if rule.folder else []
    fault = "cannot be checked for this command" if verdict.is_unknown else "is not so here"
    return [("when", f"it asks for {', '.join(wanted)}, which {fault}.")]


def _names(tools: tuple[str, ...]) -> str:
    return " and ".join(dict.fromkeys(tools[:3]))


def _shared_words(rule: Rule, call: ToolCall) -> tuple[float, list[str]]:
    """Returns which share of a pattern's needed words is in the command, if its program is; and the missing words."""
    if not call.command or not rule.command:
        return 0.0, []
    text = fold(call.command)
    programs = {words[0] for texts in call.invocations() for one in texts if (words := fold(one).split())}
    best: tuple[float, list[str]] = (0.0, [])
    for pattern in rule.command:
        words = _needed_words(pattern)
        missing = [word for word in words if word not in text]
        if words and programs & set(words):
            best = max(best, (1 - len(missing) / len(words), missing))
    return best


def _needed_words(pattern: "re.Pattern[str]") -> list[str]:
    """Returns the words that every match of the pattern has."""
    sets = all_literal_sets(*to_python(pattern.pattern))
    return list(dict.fromkeys(word for literals in sets if len(literals) == 1 for word in literals[0].split()))


def _asleep(lesson: Lesson) -> NearMiss:
    if lesson.stage == "retired":
        return NearMiss(lesson.slug, "stage", f"it is retired: `lessons unarchive {lesson.slug}` brings it back.")
    if lesson.needs_review:
        return NearMiss(lesson.slug, "needsReview", "it needs a review.")
    return NearMiss(lesson.slug, "build", "it is left out of the build; `lessons build` shows why.")


def _text(call: ToolCall) -> str:
    return "\n".join(filter(None, (call.command, *call.paths, *call.strings, call.content)))


def awake(home: str) -> list[Entry]:
    """Returns the entries of the manifest."""
    try:
        return list(manifest.read(home)[1].values())
    except manifest.UnusableManifest:
        return []


def asleep(home: str) -> list[Lesson]:
    """Returns lessons that are not in the manifest for any reason."""
    try:
        published = manifest.read(home)[1]
    except manifest.UnusableManifest:
        published = {}
    try:
        return [lesson for lesson in lesson_file.read(home).lessons() if lesson.id not in published]
    except LessonsError:  # already reported by the warning about the build
        return []
