"""Asks about each tag that a scan found; only on a terminal."""

from collections.abc import Collection, Sequence

import click
import msgspec

from lessons import config
from lessons.cli import render
from lessons.cli.promotion_flow import promotion_message, show
from lessons.errors import LessonsError
from lessons.lesson_fields import WORDS
from lessons.model import Triggers
from lessons.plain import without_hidden
from lessons.promote.promotion.promotion import Choice, Draft, archive, preview, promote, triggers_for
from lessons.promote.queue.candidate import Candidate
from lessons.promote.queue.selection import new_tags

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
