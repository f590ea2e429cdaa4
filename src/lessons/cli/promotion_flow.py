"""Shows a lesson before it is promoted, asks, and says what happened."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from lessons.cli import render
from lessons.cli.candidate_text import counts_of
from lessons.errors import LessonsError
from lessons.promote.catalog import describe
from lessons.promote.promotion.promotion import Choice, Draft, Promoted, preview, promote

if TYPE_CHECKING:
    from lessons.promote.queue.candidate import Candidate


def show(candidate: "Candidate", lesson: Draft, others: Sequence["Candidate"] = (), origin: str = "") -> None:
    """Prints what would become a lesson, with its back-test."""
    document = lesson.document
    rows: list[tuple[str, object]] = [
        *((name, document.get(name, "")) for name in ("summary", "problem", "solution")),
        ("fires", trigger_words(document)),
        ("effect", f"{describe(document)}{', in shadow' if document.get('stage') == 'shadow' else ''}"),
        ("seen", counts_of(candidate, *others)),
        ("history", back_test(lesson)),
    ]
    if others:
        rows.append(("with it", f"{len(others)} near duplicate{'' if len(others) == 1 else 's'}, merged into it"))
        rows += [("", each.problem) for each in others]
    rows += [("from", origin)] if origin else []
    rows += [("warning", sentence) for sentence in lesson.warnings]
    render.fields(rows)


def back_test(lesson: Draft) -> str:
    if lesson.report is None:
        return "shown when a session starts, not at a call"
    from lessons.promote.backtest.text import sentence

    return sentence(lesson.report)


def trigger_words(document: dict[str, object]) -> str:
    """Returns the trigger on one line."""
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
    """Returns the lesson, or why it was refused, or None if the user declined."""
    choice = msgspec.structs.replace(choice, seen=ask)
    if ask:
        lesson = preview(home, candidate, choice, others)
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


def promotion_message(promoted: Promoted) -> str:
    """Returns one line about what happened."""
    slug, record = promoted.record["slug"], promoted.record
    left_out = {each.slug: each.reason for each in promoted.build.excluded}
    if slug in left_out:
        return f"Stored {slug}, but it cannot fire: {left_out[str(slug)]}"
    if record.get("stage") == "shadow":
        return f"Promoted {slug} to shadow: matches are logged, nothing is shown."
    return f"Promoted {slug} ({describe(record)}). It fires from the next call on."


def document_of(promoted: Promoted) -> dict[str, object]:
    decision, so_far = msgspec.to_builtins(promoted.decision), msgspec.to_builtins(promoted.report)
    return {"lesson": promoted.record, "decision": decision, "warnings": promoted.warnings, "backtest": so_far}
