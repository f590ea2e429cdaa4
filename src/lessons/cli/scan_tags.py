"""Tags that a scan has found in, what a person says to each of them carried out; only ever on a terminal."""

from collections.abc import Collection, Sequence

import click
import msgspec

from lessons import config
from lessons.candidate import WRITTEN
from lessons.cli import render
from lessons.cli.promotion_flow import made, show, told
from lessons.errors import LessonsError
from lessons.model import Triggers
from lessons.promote.promotion.promotion import Choice, Draft, archive, promote, triggers_for
from lessons.promote.queue import queue
from lessons.promote.queue.candidate import Candidate
from lessons.promote.queue.clusters import clusters
from lessons.store.history.history import History

_ANSWERS = {"y": "y", "yes": "y", "n": "n", "no": "n", "e": "e", "edit": "e", "l": "l", "later": "l"}
_QUESTION = "Make it a lesson? y/n/edit/later"
_DECLINED = "declined when a scan found it"


def offer(home: str, new: Collection[str]) -> None:
    """Each new tag that would pass is shown and asked about, or promoted at once where the setting says so."""
    settings = config.load(home)
    refused = 0
    for tag, *others in _new_tags(home, settings, new)[: settings.max_candidates_per_scan]:
        lesson = made(home, tag, Choice(), others)
        if lesson.problems:
            refused += 1
        elif settings.auto_promote:
            _promote(home, tag, Choice(), others, f" {provenance(tag)}")
        else:
            _ask(home, tag, lesson, others)
    if refused:
        what = "One new tag is" if refused == 1 else f"{refused:,} new tags are"
        render.note(f"{what} no lesson yet: `lessons candidates --tier 1 --all` shows what.")


def _new_tags(home: str, settings: config.Config, new: Collection[str]) -> list[list[Candidate]]:
    """Near duplicates stand together: they are one decision."""
    with History.for_reading(home) as history:
        waiting = [each.fingerprint for each in queue.whole(history, settings) if each.tier == WRITTEN]
        tags = queue.with_triggers(history, settings, {each for each in waiting if each in new})
    return clusters(tags)


def provenance(tag: Candidate) -> str:
    """Who wrote it, and what that is worth."""
    sessions = tag.source_session_ids
    more = f" and {len(sessions) - 1} more" if len(sessions) > 1 else ""
    project = f" of project {tag.projects[0]}" if tag.projects else ""
    where = f"session {sessions[0] if sessions else 'unknown'}{more}{project}"
    return f"Written by the agent in {where}; a page it read could have made it write this."


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
            lesson = made(home, tag, choice, others)
        elif answer == "y":
            if _promote(home, tag, choice, others):
                return
        else:
            if answer == "n":
                archive(home, tag.fingerprint, _DECLINED)
                render.say("It is archived; `lessons undo` takes that back.")
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
    render.say(told(promoted) + behind)
    return True


def _edited(tag: Candidate, choice: Choice, lesson: Draft) -> Choice:
    """Every word and the pattern anew; an empty answer keeps what is there."""
    fields = ("summary", "problem", "solution")
    words = {field: str(click.prompt(field, default=str(lesson.document[field]))) for field in fields}
    triggers = triggers_for(tag, choice)
    patterns = " ".join(triggers.command_patterns)
    if len(triggers.command_patterns) == 1 or triggers == Triggers(session_start=True):
        asked = "command pattern (regex)" if patterns else "command pattern (regex; empty: at the start of a session)"
        pattern = str(click.prompt(asked, default=patterns, show_default=bool(patterns)))
        triggers = _with_pattern(triggers, pattern)
    return msgspec.structs.replace(choice, triggers=triggers, **words)


def _with_pattern(triggers: Triggers, pattern: str) -> Triggers:
    if not pattern:
        return triggers
    if triggers.command_patterns:
        return msgspec.structs.replace(triggers, command_patterns=[pattern])
    return Triggers(tool_names=["Bash"], command_patterns=[pattern], match_on="invocation")
