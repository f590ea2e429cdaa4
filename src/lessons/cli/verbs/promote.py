"""The options of `lessons promote`, and the choice they describe."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from lessons import paths
from lessons.cli import render
from lessons.cli.options import complete_candidate, document_from_options, options_for
from lessons.errors import Refused
from lessons.lesson_fields import FIELDS, FIRING

if TYPE_CHECKING:
    from lessons.model import Triggers
    from lessons.promote.candidate import Candidate
    from lessons.promote.decide import Choice


Function = TypeVar("Function", bound=Callable[..., object])

_FIELDS = [field for field in FIELDS if field.when_promoting]
# Texts and triggers describe one mistake, so they cannot apply to several.
_OF_ONE = {field.place.partition(".")[0] for field in _FIELDS if field.kind == "text" or field.group}
# Fields of a lesson that have their own field in a choice.
_CHOSEN = ("summary", "problem", "solution", "priority", "tags", "blockReason", "block", "stopOnce", "triggers")


def promote_options(function: Function) -> Function:
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


def chosen(values: dict[str, object], several: bool) -> dict[str, object]:
    """Returns the part of a lesson that the options set; raises a usage error if they cannot be combined."""
    given = document_from_options(values)
    if several and any(field in given for field in _OF_ONE):
        raise click.UsageError("Texts and triggers are for one candidate: name just one, or leave those options out.")
    if given.get("block") and given.get("stopOnce"):
        raise click.UsageError("Use --block or --stop-once, not both.")
    if "blockReason" in given and not given.get("block"):
        raise click.UsageError("--block-reason needs --block.")
    return given


def choice_of(candidate: "Candidate", given: dict[str, object], values: dict[str, object]) -> "Choice":
    """Returns the choice; options that are not given stay as the candidate proposes."""
    import msgspec

    from lessons.model import Scope
    from lessons.promote.decide import Choice

    wanted = values.get("scope")
    scope = {"type": wanted} if wanted in ("global", "machine") else _folder(str(wanted)) if wanted else None
    triggers = given.get("triggers")
    fields = {
        "effect": "block" if given.get("block") else "stopOnce" if given.get("stopOnce") else "hint",
        "stage": "shadow" if values.get("shadow") else "active",
        "force": bool(values.get("force")),
        "block_reason": given.get("blockReason"),
        **{field: given.get(field) for field in ("summary", "problem", "solution", "priority", "tags")},
        "fields": {name: value for name, value in given.items() if name not in _CHOSEN},
    }
    about = msgspec.structs.replace(msgspec.convert(fields, Choice), scope=scope and msgspec.convert(scope, Scope))
    if not isinstance(triggers, dict):
        return about
    merged = _merged(candidate.proposed_trigger or {}, triggers)
    return msgspec.structs.replace(about, triggers=merged, session_start=merged.session_start)


def _folder(text: str) -> dict[str, object]:
    return {"type": "project", "path": os.path.abspath(os.path.expanduser(text))}


def _merged(proposed: dict[str, object], given: dict[str, object]) -> "Triggers":
    """Replaces every proposed pattern by a given one; other parts of the proposal are kept only with their pattern."""
    import msgspec

    from lessons.model import Triggers

    own = any(field.name in given for field in FIRING) or given.get("sessionStart")
    kept = {} if own else proposed
    if own and "commandPatterns" in given and "commandPatterns" in proposed:
        kept = {key: value for key, value in proposed.items() if key in ("toolNames", "matchOn")}
    return msgspec.convert({**kept, **given}, Triggers)


@click.command("promote", short_help="Turn candidates into lessons")
@click.argument("names", nargs=-1, required=True, metavar="N|ID...", shell_complete=complete_candidate)
@promote_options
def command(names: tuple[str, ...], as_json: bool, yes: bool, **values: object) -> int:
    """Turn candidates into lessons.

    ID is a number of the list that `lessons candidates` showed last, or a fingerprint or its beginning
    (`lessons candidates --all --json` lists them). Options override what the candidate proposes. Near duplicates are
    merged into the lesson. `lessons undo` undoes all of it.
    """
    given = _allowed(values, len(names) > 1, as_json, yes)
    home = paths.data_home()
    return _promote_all(home, names, given, values, as_json, yes)


@click.command("promote", short_help="Turn candidates into lessons, by number")
@click.argument("numbers", nargs=-1, required=True, type=int, metavar="N...")
@promote_options
def by_number(numbers: tuple[int, ...], as_json: bool, yes: bool, **values: object) -> int:
    """Turn candidates into lessons, by their numbers in the list that was shown last.

    Refused when the list has changed since: run `lessons candidates` again.
    """
    given = _allowed(values, len(numbers) > 1, as_json, yes)
    home = paths.data_home()
    return _promote_all(home, [str(number) for number in numbers], given, values, as_json, yes)


def _allowed(values: dict[str, object], several: bool, as_json: bool, yes: bool) -> dict[str, object]:
    given = chosen(values, several)
    if not yes and (as_json or not render.can_ask()):
        raise Refused("No terminal to ask on: add --yes.")
    return given


def _promote_all(
    home: str,
    names: Sequence[str],
    given: dict[str, object],
    values: dict[str, object],
    as_json: bool,
    yes: bool,
) -> int:
    from lessons.cli.promotion_flow import document_of, promote_one, promotion_message
    from lessons.promote.decide import Promoted, selected

    done: list[Promoted] = []
    refused: list[dict[str, object]] = []
    taken: dict[str, str] = {}
    for candidate, *others in selected(home, names):
        if slug := taken.get(candidate.fingerprint):
            render.note(f"{candidate.fingerprint} is already merged into {slug}.")
            continue
        others = [each for each in others if each.fingerprint not in taken]
        choice = choice_of(candidate, given, values)
        outcome = promote_one(home, candidate, choice, others, ask=not yes)
        if isinstance(outcome, Promoted):
            done.append(outcome)
            taken |= {each.fingerprint: str(outcome.record["slug"]) for each in (candidate, *others)}
            render.warn(outcome.warnings if yes else [])
            if not as_json:
                render.say(promotion_message(outcome))
        elif outcome is not None:
            refused.append({"fingerprint": candidate.fingerprint, "reasons": outcome})
            for sentence in outcome:
                render.note(f"{candidate.fingerprint}: {sentence}")
            if all(sentence.startswith(("block needs", "stopOnce needs")) for sentence in outcome):
                render.note("Add --force to override the back-test (logged).")
    render.emit(as_json, {"promoted": [document_of(each) for each in done], "refused": refused}, lambda: None)
    return 1 if refused else 0
