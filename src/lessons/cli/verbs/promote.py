"""`lessons promote`: makes lessons of candidates; on a terminal it shows each one first and asks."""

import os
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.options import complete_candidate, document_from_options, options_for
from lessons.cli.verbs.candidates import page_of
from lessons.errors import LessonsError, Refused
from lessons.lesson_fields import FIELDS, FIRING, WORDS, patterns_in
from lessons.model import Scope, Triggers
from lessons.plain import without_hidden
from lessons.promote.candidate import Candidate
from lessons.promote.catalog import describe
from lessons.promote.decide import Promoted, preview, promote, selected
from lessons.promote.draft import Choice, Draft, triggers_for
from lessons.promote.review_case import with_patterns

Function = TypeVar("Function", bound=Callable[..., object])

_FIELDS = [field for field in FIELDS if field.when_promoting]
# Texts and triggers describe one mistake, so they cannot apply to several.
_OF_ONE = {field.place.partition(".")[0] for field in _FIELDS if field.kind == "text" or field.group}
# Fields of a lesson that have their own field in a choice.
_CHOSEN = ("summary", "problem", "solution", "priority", "tags", "blockReason", "block", "stopOnce", "triggers")


def _promote_options(function: Function) -> Function:
    for option in reversed(
        [
            options_for(_FIELDS),
            click.option(
                "--scope", metavar="global|machine|DIR", help="Everywhere, on this machine, or only in this folder."
            ),
            click.option("--shadow", is_flag=True, help="Shadow mode: log matches, show nothing."),
            click.option("--force", is_flag=True, help="Override the back-test (logged)."),
            click.option(
                "--yes", is_flag=True, help="Do not ask; tags, corrections and texts given here then start in shadow."
            ),
            render.json_option,
        ]
    ):
        function = option(function)
    return function


@click.command("promote", short_help="Turn candidates into lessons")
@click.argument("names", nargs=-1, required=True, metavar="N|ID...", shell_complete=complete_candidate)
@_promote_options
def command(names: tuple[str, ...], **values: object) -> int:
    """Turn candidates into lessons.

    ID is a number of the list that `lessons candidates` showed last, or a fingerprint or its beginning
    (`lessons candidates --all --json` lists them). Options override what the candidate proposes. Near duplicates are
    merged into the lesson. `lessons undo` undoes all of it.
    """
    return _promote_all(names, values)


@click.command("promote", short_help="Turn candidates into lessons, by number")
@click.argument("numbers", nargs=-1, required=True, type=int, metavar="N...")
@_promote_options
def by_number(numbers: tuple[int, ...], **values: object) -> int:
    """Turn candidates into lessons, by their numbers in the list that was shown last.

    On a terminal it asks for what no option gives: summary, trigger patterns, priority and tags. If the list is out of
    date, N is an `index` in cross-project-candidates.json, which every scan writes.
    """
    return _promote_all([*map(str, numbers)], values, by_index=True)


def _promote_all(names: Sequence[str], values: dict[str, object], by_index: bool = False) -> int:
    home, yes = paths.data_home(), bool(values["yes"])
    given = document_from_options(values)
    if len(names) > 1 and any(field in given for field in _OF_ONE):
        raise click.UsageError("Texts and triggers are for one candidate: name just one, or leave those options out.")
    if given.get("block") and given.get("stopOnce"):
        raise click.UsageError("Use --block or --stop-once, not both.")
    if "blockReason" in given and not given.get("block"):
        raise click.UsageError("--block-reason needs --block.")
    if not yes and not render.can_ask():
        raise Refused("No terminal to ask on: add --yes.")
    done: list[Promoted] = []
    refused: list[dict[str, object]] = []
    taken: dict[str, str] = {}
    for candidate, *others in selected(home, names, by_index):
        if slug := taken.get(candidate.fingerprint):
            render.note(f"{candidate.fingerprint} is already merged into {slug}.")
            continue
        others = [each for each in others if each.fingerprint not in taken]
        choice = msgspec.structs.replace(choice_of(candidate, given, values), seen=not yes)
        missing = [name for name in ("summary", "triggers", "priority", "tags") if by_index and name not in given]
        outcome = _promote_one(home, candidate, choice, others, missing)
        if isinstance(outcome, Promoted):
            done.append(outcome)
            taken |= {each.fingerprint: str(outcome.record["slug"]) for each in (candidate, *others)}
            render.warn(outcome.warnings if yes else [])
            if not render.is_json():
                render.say(promotion_message(outcome))
        elif outcome is not None:
            refused.append({"fingerprint": candidate.fingerprint, "reasons": outcome})
            for reason in outcome:
                render.note(f"{candidate.fingerprint}: {reason}")
            against = preview(home, candidate, choice, others)
            if against.objections and not against.problems and not choice.force:
                render.note("Add --force to override the back-test (logged).")
    promoted = [
        {
            "lesson": each.record,
            "decision": msgspec.to_builtins(each.decision),
            "warnings": each.warnings,
            "backtest": msgspec.to_builtins(each.report),
        }
        for each in done
    ]
    render.emit({"promoted": promoted, "refused": refused})
    return 1 if refused else 0


def choice_of(candidate: Candidate, given: dict[str, object], values: dict[str, object]) -> Choice:
    """Returns the choice; options that are not given stay as the candidate proposes."""
    scope = None
    if wanted := values.get("scope"):
        is_named = wanted in ("global", "machine")
        folder = None if is_named else os.path.abspath(os.path.expanduser(str(wanted)))
        scope = msgspec.convert({"type": wanted if is_named else "project", "path": folder}, Scope)
    fields = {
        "effect": "block" if given.get("block") else "stopOnce" if given.get("stopOnce") else "hint",
        "stage": "shadow" if values.get("shadow") else "active",
        "force": bool(values.get("force")),
        "block_reason": given.get("blockReason"),
        **{field: given.get(field) for field in ("summary", "problem", "solution", "priority", "tags")},
        "fields": {name: value for name, value in given.items() if name not in _CHOSEN},
    }
    choice = msgspec.structs.replace(msgspec.convert(fields, Choice), scope=scope)
    triggers = given.get("triggers")
    if not isinstance(triggers, dict):
        return choice
    # A given pattern replaces every proposed one; other parts of the proposal are kept only with their pattern.
    proposed = candidate.proposed_trigger or {}
    if any(field.name in triggers for field in FIRING) or triggers.get("sessionStart"):
        is_command = "commandPatterns" in triggers and "commandPatterns" in proposed
        proposed = {key: proposed[key] for key in ("toolNames", "matchOn") if is_command and key in proposed}
    merged = msgspec.convert({**proposed, **triggers}, Triggers)
    return msgspec.structs.replace(choice, triggers=merged, session_start=merged.session_start)


def _promote_one(
    home: str, candidate: Candidate, choice: Choice, others: Sequence[Candidate], asked: Sequence[str]
) -> Promoted | list[str] | None:
    """Returns the lesson, or why it was refused, or None if the user declined."""
    if choice.seen:
        lesson = preview(home, candidate, choice, others)
        if asked:
            choice = _edited(candidate, choice, lesson, asked)
            lesson = preview(home, candidate, choice, others)
        render.fields(page_of(home, lesson, candidate, *others))
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


def _edited(candidate: Candidate, choice: Choice, lesson: Draft, asked: Collection[str]) -> Choice:
    """Asks for these fields; an empty answer keeps the present one."""
    for field in WORDS:
        if field.name in asked:
            present = without_hidden(str(lesson.document.get(field.name, "")))
            choice = choice.with_text(field.name, str(click.prompt(field.name, default=present)))
    if "triggers" in asked:
        choice = msgspec.structs.replace(choice, triggers=_edited_triggers(triggers_for(candidate, choice)))
    if "priority" in asked:
        priority = click.prompt("priority", default=lesson.document.get("priority"), type=click.IntRange(1, 10))
        choice = msgspec.structs.replace(choice, priority=priority)
    if "tags" in asked:
        tags = lesson.document.get("tags")
        present = without_hidden(" ".join(map(str, tags))) if isinstance(tags, list) else ""
        answer = click.prompt("tags, separated by spaces", default=present, show_default=bool(present))
        choice = msgspec.structs.replace(choice, tags=str(answer).split())
    return choice


def _edited_triggers(triggers: Triggers) -> Triggers:
    """Asks for each pattern; for a note at session starts whether it has one."""
    for field, patterns in patterns_in(triggers, FIRING):
        present = [without_hidden(pattern) for pattern in patterns]
        answers = [str(click.prompt(f"{field.looks_at} pattern", default=pattern)) for pattern in present]
        if answers != present:
            triggers = with_patterns(triggers, field, answers)
    if triggers != Triggers(session_start=True):
        return triggers
    asked = "command pattern (regex; empty: at the start of a session)"
    answer = str(click.prompt(asked, default="", show_default=False))
    new = Triggers(tool_names=["Bash"], command_patterns=[answer], match_on="invocation")
    return new if answer else triggers
