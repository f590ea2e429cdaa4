"""Prints the lessons of a project for a person to judge: everything that an agent would read, and when."""

from lessons.cli.agent_words import agent_reads
from lessons.cli.folded import put, put_lines
from lessons.lesson_fields import FIELDS, FIRING, patterns_in, value_of
from lessons.model import Lesson
from lessons.promote.team.judge import Judged
from lessons.promote.team.team import TeamLesson
from lessons.store.project_folder import folder_of
from lessons.store.trusted import Trust

_CONDITIONS = [field for field in FIELDS if field.group == "triggers.when"]


def show(root: str, judged: list[Judged], known: Trust | None) -> None:
    """Prints each lesson with its effect, trigger and texts, then the files that are left out and why."""
    put(f"{folder_of(root)} holds {len(judged)} file{'' if len(judged) == 1 else 's'}:")
    for each in judged:
        if each.lesson and not each.problems:
            _show_lesson(TeamLesson(root, each.file.path, each.lesson), _state(each, known), each.warnings)
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


def _state(each: Judged, known: Trust | None) -> str:
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
