"""`lessons promote` and `lessons scan promote`: turn candidates into lessons."""

from collections.abc import Sequence

import click

from lessons import paths
from lessons.cli import render
from lessons.cli.options.candidates import complete_candidate
from lessons.cli.options.promote import choice_of, chosen, promote_options
from lessons.errors import Refused


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
    from lessons.promote.promotion.promotion import Promoted
    from lessons.promote.queue.selection import selected

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
