"""Prints the lessons of a project, for a person to judge."""

from lessons.cli.folded import put
from lessons.lesson_fields import FIRING, conditions, patterns_in
from lessons.model import Lesson, Triggers
from lessons.promote.team.judge import Judged
from lessons.store.project_folder import folder_of
from lessons.store.trusted import Trust

_LONGEST_TEXT = 300


def show(root: str, judged: list[Judged], known: Trust | None) -> None:
    """Print each lesson with its effect and trigger, then the files that are left out and why."""
    put(f"{folder_of(root)} holds {len(judged)} file{'' if len(judged) == 1 else 's'}:")
    for each in judged:
        if each.lesson and not each.problems:
            _show_lesson(each.lesson, _state(each, known), each.warnings)
    for each in judged:
        if each.problems:
            put(f"{each.file.name}: {_short(' '.join(each.problems))}", 2, "yellow", "left out   ")
    before = {*known.taken, *known.refused} if known else set()
    for name in sorted(before - {each.file.name for each in judged}):
        put(name, 2, "yellow", "missing    ")


def _show_lesson(lesson: Lesson, state: str, warnings: list[str]) -> None:
    strong = "BLOCKS every such call" if lesson.block else "STOPS the first such call" if lesson.stop_once else ""
    shadow = ", in shadow" if lesson.stage == "shadow" else ""
    put(f"{lesson.slug}: {strong or 'hints'}{shadow}{state}", 2, "bold red" if strong else "bold")
    put(_short(lesson.summary), 4)
    put(_short(lesson.block_reason or lesson.injection or lesson.solution), 4, "dim", "says: ")
    put(_short(when_it_fires(lesson.triggers)), 4, "dim", "when: ")
    for sentence in warnings:
        put(_short(sentence), 4, "yellow", "note: ")


def _state(each: Judged, known: Trust | None) -> str:
    if known is None:
        return ""
    before = {**known.refused, **known.taken}.get(each.file.name)
    return " (new)" if before is None else " (changed)" if before != each.file.digest else ""


def when_it_fires(triggers: Triggers) -> str:
    """The trigger in words, with every pattern."""
    if triggers.session_start:
        return "a session starts"
    tools = ", ".join(triggers.tool_names)
    parts = [
        f"{field.looks_at} {' or '.join(patterns)}" for field, patterns in patterns_in(triggers, FIRING) if patterns
    ]
    words = "; ".join(parts) or f"any use of {tools}"
    unless = f", unless {' or '.join(triggers.unless)}" if triggers.unless else ""
    state = f", while {', '.join(conditions(triggers))}" if conditions(triggers) else ""
    return words + (f" (of {tools})" if parts and tools else "") + state + unless


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"
