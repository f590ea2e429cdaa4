"""The words about a lesson: why it fired, when it fires, and everything that an agent could read of it."""

import re
from collections.abc import Mapping

from lessons.cli.render import put, put_lines
from lessons.inject.decide import block_reason, clean, full_text, summary_line
from lessons.lesson_fields import FIELDS, FIRING, patterns_in, value_of
from lessons.match.call import ToolCall
from lessons.model import Lesson
from lessons.promote.team import Judged, TeamLesson
from lessons.store.project_folder import folder_of
from lessons.store.published import PublishedLesson, compile_source
from lessons.store.settings import Trust

_LONGEST_CALL = 80
_PATTERN = re.compile(r"(\w+)\[(\d+)\]")
_OTHERS = {
    "toolNames": "any use of the tool",
    "sessionStart": "a session started",
    "recovery": "a failed call was followed by one that worked",
}
_LOOKED_AT = {field.name: field.looks_at for field in FIRING}


def recall_in_words(why: str, failed: str) -> str:
    """Says why memory spoke: what the call, or its error, has in common with an earlier failed call."""
    if why == "path":
        return "a path is missing here and exists in a folder above"
    like = f"like `{' '.join(failed.split())[:_LONGEST_CALL]}`" if failed else "like an earlier one"
    return f"the error is {like}" if why == "error" else f"{like}: {feature_in_words(why)}"


def feature_in_words(feature: str) -> str:
    """Returns `git log --stat` (option) for `option:git log --stat`."""
    family, _, text = feature.partition(":")
    return f"`{text}` ({family})" if text else feature


def why_in_words(why: str, triggers: Mapping[str, object]) -> str:
    """Takes the present triggers of the lesson; if it was changed since, the pattern may be missing."""
    found = _PATTERN.fullmatch(why)
    if not found:
        return _OTHERS.get(why, why)
    name, number = found[1], int(found[2])
    patterns = triggers.get(name)
    subject = _LOOKED_AT.get(name) or name
    if isinstance(patterns, list) and number < len(patterns):
        return f"{subject} matches `{patterns[number]}`"
    return f"{subject} matched a pattern that no longer exists"


_ANY_CALL = ToolCall("Bash", {"command": "{command}"})


def agent_reads(entry: dict[str, object]) -> list[str]:
    """Returns the texts as the hook words them.

    These are the full text, the reason for a deny, and the short line for when there is no room for more.
    """
    lesson = PublishedLesson("", entry, compile_source)
    found = [full_text(lesson)]
    if lesson.kind == "block":
        found.append(block_reason(lesson, _ANY_CALL))
    if clean(lesson.summary) not in found[0]:
        found.append(summary_line(lesson))
    return found


_CONDITIONS = [field for field in FIELDS if field.group == "triggers.when"]


def show_shared(root: str, judged: list[Judged], known: Trust | None) -> None:
    """Prints each lesson with its effect, trigger and texts, then the files that are left out and why."""
    put(f"{folder_of(root)} holds {len(judged)} file{'' if len(judged) == 1 else 's'}:")
    for each in judged:
        if each.lesson and not each.problems:
            _show_lesson(TeamLesson(root, each.file.path, each.lesson), _trust_state(each, known), each.warnings)
    for each in judged:
        if each.problems:
            put(f"{each.file.name}: {' '.join(each.problems)}", 2, "yellow", "left out   ")
    before = {*known.taken, *known.refused} if known else set()
    for name in sorted(before - {each.file.name for each in judged}):
        put(name, 2, "yellow", "missing    ")


def _show_lesson(team_lesson: TeamLesson, state: str, warnings: list[str]) -> None:
    lesson = team_lesson.lesson
    strong = "BLOCKS every such call" if lesson.block else "STOPS the first such call" if lesson.stop_once else ""
    shadow = ", in shadow" if lesson.stage == "shadow" else ""
    put(f"{lesson.slug}: {strong or 'hints'}{shadow}{state}", 2, "bold red" if strong else "bold")
    put(when_it_fires(lesson), 4, "dim", "when: ")
    for number, text in enumerate(agent_reads(team_lesson.entry())):
        put("or:" if number else "the agent reads:", 4, "dim")
        put_lines(text, 6)
    for sentence in warnings:
        put(sentence, 4, "yellow", "note: ")


def _trust_state(each: Judged, known: Trust | None) -> str:
    if known is None:
        return ""
    before = {**known.refused, **known.taken}.get(each.file.name)
    return " (new)" if before is None else " (changed)" if before != each.file.digest else ""


def when_it_fires(lesson: Lesson) -> str:
    """Returns the trigger in words, with every pattern and condition."""
    triggers = lesson.triggers
    tools = ", ".join(triggers.tool_names)
    parts = ["a session starts"] if triggers.session_start else []
    patterns = [
        f"{field.looks_at} {' or '.join(patterns)}" for field, patterns in patterns_in(triggers, FIRING) if patterns
    ]
    words = "; ".join([*parts, *patterns]) or f"any use of {tools}"
    of_tools = f" (of {tools})" if patterns and tools else ""
    unless = f", unless {' or '.join(triggers.unless)}" if triggers.unless else ""
    conditions = [
        f", {field.label} {' or '.join(map(str, values))}"
        for field in _CONDITIONS
        if isinstance(values := value_of(lesson, field), list) and values
    ]
    return words + of_tools + unless + "".join(conditions)
