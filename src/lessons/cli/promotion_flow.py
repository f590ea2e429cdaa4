"""Shows a lesson before it is promoted, asks, and says what happened."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from lessons import config
from lessons.cli import render
from lessons.cli.candidate_text import counts_of
from lessons.errors import LessonsError
from lessons.lesson_fields import WORDS
from lessons.model import Triggers
from lessons.plain import without_hidden
from lessons.promote.candidate import Candidate
from lessons.promote.catalog import describe
from lessons.promote.decide import Choice, Draft, Promoted, archive, new_tags, preview, promote, triggers_for

if TYPE_CHECKING:
    from lessons.promote.candidate import Candidate


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
    from lessons.promote.backtest_report import sentence

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


_ANSWERS = {"y": "y", "yes": "y", "n": "n", "no": "n", "e": "e", "edit": "e", "l": "l", "later": "l"}
_QUESTION = "Make it a lesson? y/n/edit/later"
_DECLINED = "declined when a scan found it"


def offer(home: str, new: Collection[str]) -> None:
    """Asks about each new tag that would be accepted, or promotes it to shadow if the setting autoPromote is on."""
    settings = config.load(home)
    refused = 0
    for tag, *others in new_tags(home, settings, new)[: settings.max_candidates_per_scan]:
        lesson = preview(home, tag, Choice(), others)
        if lesson.problems:
            refused += 1
        elif settings.auto_promote:
            _promote(home, tag, Choice(seen=False), others, f" {provenance(tag)}")
        else:
            _ask(home, tag, lesson, others)
    if refused:
        what = "One new tag is" if refused == 1 else f"{refused:,} new tags are"
        render.note(f"{what} not lessons yet: `lessons candidates --tier 1 --all` lists them.")


def provenance(tag: Candidate) -> str:
    """Returns who wrote the tag, and where."""
    sessions = tag.source_session_ids
    more = f" and {len(sessions) - 1} more" if len(sessions) > 1 else ""
    project = f" of project {tag.projects[0]}" if tag.projects else ""
    where = f"session {sessions[0] if sessions else 'unknown'}{more}{project}"
    return f"Written by the agent in {where}; something it read may have prompted it."


def _ask(home: str, tag: Candidate, lesson: Draft, others: Sequence[Candidate]) -> None:
    choice = Choice()
    while True:
        click.echo()
        show(tag, lesson, others, provenance(tag))
        for sentence in lesson.problems:
            render.note(sentence)
        answer = _answer()
        if answer == "e":
            choice = _edited(tag, choice, lesson)
            lesson = preview(home, tag, choice, others)
        elif answer == "y":
            if _promote(home, tag, choice, others):
                return
        else:
            if answer == "n":
                archive(home, tag.fingerprint, _DECLINED)
                render.say("Rejected. `lessons undo` undoes that.")
            return


def _answer() -> str:
    while True:
        answer = str(click.prompt(_QUESTION, default="later", show_default=False)).strip().lower()
        if answer in _ANSWERS:
            return _ANSWERS[answer]
        click.echo("Answer y, n, edit or later.")


def _promote(home: str, tag: Candidate, choice: Choice, others: Sequence[Candidate], behind: str = "") -> bool:
    try:
        promoted = promote(home, tag, choice, others)
    except LessonsError as refused:
        render.note(str(refused))
        return False
    render.say(promotion_message(promoted) + behind)
    return True


def _edited(tag: Candidate, choice: Choice, lesson: Draft) -> Choice:
    """Asks for every text and the pattern; an empty answer keeps the present one."""
    for field in WORDS:
        present = without_hidden(str(lesson.document.get(field.name, "")))
        choice = choice.with_text(field.name, str(click.prompt(field.name, default=present)))
    triggers = triggers_for(tag, choice)
    patterns = without_hidden(" ".join(triggers.command_patterns))
    if len(triggers.command_patterns) == 1 or triggers == Triggers(session_start=True):
        asked = "command pattern (regex)" if patterns else "command pattern (regex; empty: at the start of a session)"
        pattern = str(click.prompt(asked, default=patterns, show_default=bool(patterns)))
        triggers = _with_pattern(triggers, pattern)
    return msgspec.structs.replace(choice, triggers=triggers)


def _with_pattern(triggers: Triggers, pattern: str) -> Triggers:
    if not pattern:
        return triggers
    if triggers.command_patterns:
        return msgspec.structs.replace(triggers, command_patterns=[pattern])
    return Triggers(tool_names=["Bash"], command_patterns=[pattern], match_on="invocation")
