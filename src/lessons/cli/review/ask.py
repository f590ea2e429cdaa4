"""A case in, the reason to archive it or the lesson to merge it into out, as a person answers."""

import click

from lessons.cli import render
from lessons.cli.review.case import Case
from lessons.cli.review.keys import edit_line
from lessons.errors import Refused
from lessons.model import Lesson
from lessons.promote.intake.similarity import jaccard
from lessons.store import lesson_file

_USUAL_REASON = "not worth a lesson"
_MOST_OFFERED = 5


def ask_reason() -> str | None:
    """None where the person thinks better of it."""
    answer = edit_line("why (^C goes back)", _USUAL_REASON)
    return answer if answer is None else answer or _USUAL_REASON


def ask_lesson(home: str, case: Case) -> str | None:
    """The slug of a lesson: by its number among the most similar ones, or typed."""
    lessons = [lesson for lesson in lesson_file.read(home).lessons() if lesson.stage != "retired"]
    if not lessons:
        raise Refused("There is no lesson yet to merge it into: promote one first.")
    about = f"{case.text('problem')} {case.text('solution')}"
    offered = sorted(lessons, key=lambda lesson: (-jaccard(about, _words(lesson)), lesson.slug))[:_MOST_OFFERED]
    click.echo()
    for number, lesson in enumerate(offered, start=1):
        line = f"  {number}  {render.printable(lesson.summary)}"
        click.echo(line if len(line) <= 79 else line[:78] + "…")
    answer = edit_line("merge into (a number or a slug, Enter goes back)")
    if not answer:
        return None
    if answer.isdecimal() and 1 <= int(answer) <= len(offered):
        return offered[int(answer) - 1].slug
    return str(lesson_file.read(home).find(answer)["slug"])


def _words(lesson: Lesson) -> str:
    return f"{lesson.problem} {lesson.solution}"
