"""Asks for the reason to reject a case, or for the lesson to merge it into."""

import shutil

import click

from lessons.cli import render
from lessons.cli.review.excerpt import cut
from lessons.cli.review.keys import edit_line
from lessons.errors import Refused
from lessons.promote.review.case import Case, most_similar
from lessons.store import lesson_file

_USUAL_REASON = "not worth a lesson"
_MOST_OFFERED = 5


def ask_reason() -> str | None:
    """Returns None if the user cancels."""
    answer = edit_line("reason (^C cancels)", _USUAL_REASON)
    return answer if answer is None else answer or _USUAL_REASON


def ask_lesson(home: str, case: Case, answered_by: str = "") -> str | None:
    """Returns the slug of a lesson: chosen by its number among the most similar ones, or typed.

    The lesson that already answers the case comes first, and Enter chooses it.
    """
    lessons = [lesson for lesson in lesson_file.read(home).lessons() if lesson.stage != "retired"]
    if not lessons:
        raise Refused("No lesson to merge it into yet: promote one first.")
    similar = sorted(most_similar(case, lessons), key=lambda lesson: lesson.slug != answered_by)
    offered = similar[:_MOST_OFFERED]
    present = answered_by if offered[0].slug == answered_by else ""
    width = shutil.get_terminal_size().columns - 1
    click.echo()
    for number, lesson in enumerate(offered, start=1):
        click.echo(cut(f"  {number}  {render.printable(lesson.summary)}", width).plain)
    usual = "Enter for 1, " if present else ""
    answer = edit_line(f"merge into (a number or a slug, {usual}^C cancels)", "")
    if answer == "":
        return present or None
    if answer is None:
        return None
    if answer.isdecimal() and 1 <= int(answer) <= len(offered):
        return offered[int(answer) - 1].slug
    return str(lesson_file.read(home).find(answer)["slug"])
