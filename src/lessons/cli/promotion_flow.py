"""Candidates and what was chosen for them in, a look at each lesson, a question, and what came of it out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from lessons import config
from lessons.cli import render
from lessons.cli.candidate_text import counts_of
from lessons.errors import LessonsError
from lessons.promote.library import describe
from lessons.promote.promotion.promotion import Choice, Draft, Promoted, draft, promote
from lessons.store import lesson_file
from lessons.store.history.history import History

if TYPE_CHECKING:
    from lessons.promote.queue.candidate import Candidate


def made(home: str, candidate: "Candidate", choice: Choice, others: Sequence["Candidate"] = ()) -> Draft:
    """The lesson as it would be, with its back-test."""
    known = lesson_file.read(home).lessons()
    with History.for_reading(home) as history:
        return draft(history, config.load(home), candidate, choice, known, others)


def show(candidate: "Candidate", lesson: Draft, others: Sequence["Candidate"] = (), origin: str = "") -> None:
    """What is about to become a lesson, and what it would have done so far."""
    document = lesson.document
    rows: list[tuple[str, object]] = [
        *((name, document.get(name, "")) for name in ("summary", "problem", "solution")),
        ("fires", trigger_words(document)),
        ("acts by", f"{describe(document)}{', in shadow' if document.get('stage') == 'shadow' else ''}"),
        ("seen", counts_of(candidate)),
        ("so far", back_test(lesson)),
    ]
    if others:
        rows.append(("with it", f"{len(others)} near duplicate{'' if len(others) == 1 else 's'}, merged into it"))
        rows += [("", each.problem) for each in others]
    rows += [("from", origin)] if origin else []
    rows += [("beware", sentence) for sentence in lesson.warnings]
    render.fields([(name, render.printable(str(value))) for name, value in rows])


def back_test(lesson: Draft) -> str:
    if lesson.report is None:
        return "it is shown when a session starts, at no call"
    from lessons.promote.backtest.text import sentence

    return sentence(lesson.report)


def trigger_words(document: dict[str, object]) -> str:
    """The trigger on a line."""
    triggers = document.get("triggers")
    parts = []
    for key, value in triggers.items() if isinstance(triggers, dict) else ():
        if key == "sessionStart":
            parts.append("when a session starts")
        elif isinstance(value, list):
            parts.append(f"{key} {' or '.join(map(str, value))}")
    return "; ".join(parts)


def promote_one(
    home: str, candidate: "Candidate", choice: Choice, others: Sequence["Candidate"], ask: bool
) -> Promoted | list[str] | None:
    """The lesson, or why it was refused, or nothing where the person said no."""
    if ask:
        lesson = made(home, candidate, choice, others)
        show(candidate, lesson, others)
        against = [*lesson.problems, *([] if choice.force else lesson.objections)]
        if against:
            return against
        if not click.confirm("Promote it?"):
            return None
    try:
        return promote(home, candidate, choice, others)
    except LessonsError as refused:
        return str(refused).splitlines()


def told(promoted: Promoted) -> str:
    """One line of what happened."""
    slug, record = promoted.record["slug"], promoted.record
    left_out = {each.slug: each.reason for each in promoted.build.excluded}
    if slug in left_out:
        return f"{slug} is stored and does not act: {left_out[str(slug)]}"
    if record.get("stage") == "shadow":
        return f"{slug} is promoted to shadow: its matches are logged, nothing is shown."
    return f"{slug} is promoted and acts from the next call on ({describe(record)})."


def document_of(promoted: Promoted) -> dict[str, object]:
    decision, so_far = msgspec.to_builtins(promoted.decision), msgspec.to_builtins(promoted.report)
    return {"lesson": promoted.record, "decision": decision, "warnings": promoted.warnings, "backtest": so_far}
