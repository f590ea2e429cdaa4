"""`lessons promote` and `lessons scan promote`: candidates in, lessons out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from lessons import paths
from lessons.cli import render
from lessons.cli.options.promote import choice_of, chosen, promote_options

if TYPE_CHECKING:
    from lessons.promote.queue.candidate import Candidate


@click.command("promote", short_help="Make lessons of candidates")
@click.argument("names", nargs=-1, required=True, metavar="ID...")
@promote_options
def command(names: tuple[str, ...], as_json: bool, yes: bool, **values: object) -> int:
    """Make lessons of candidates.

    ID is the fingerprint of a candidate or its beginning; `lessons candidates --all --json` shows them. What the flags
    do not say is as the candidate proposes it. Near duplicates are merged into the lesson. `lessons undo` takes all of
    it back.
    """
    given = _allowed(values, len(names) > 1, as_json, yes)
    home = paths.data_home()
    return _promote_all(home, _by_name(home, names), given, values, as_json, yes)


@click.command("promote", short_help="Make lessons of candidates, by their numbers")
@click.argument("numbers", nargs=-1, required=True, type=int, metavar="N...")
@promote_options
def by_number(numbers: tuple[int, ...], as_json: bool, yes: bool, **values: object) -> int:
    """Make lessons of candidates, by their numbers in the list that was shown last.

    It is refused when the list has changed since: `lessons candidates` shows it anew.
    """
    given = _allowed(values, len(numbers) > 1, as_json, yes)
    home = paths.data_home()
    return _promote_all(home, _by_number(home, numbers), given, values, as_json, yes)


def _allowed(values: dict[str, object], several: bool, as_json: bool, yes: bool) -> dict[str, object]:
    given = chosen(values, several)
    if not yes and (as_json or not render.can_ask()):
        raise click.UsageError("Without a terminal nobody can be asked: add --yes.")
    return given


def _by_name(home: str, names: Sequence[str]) -> list[list["Candidate"]]:
    """Each candidate with its near duplicates behind it."""
    from lessons import config
    from lessons.promote.promotion import promotion
    from lessons.promote.queue import numbers, queue
    from lessons.store import decisions
    from lessons.store.history.history import History

    promotion.settle(home)
    with History.for_reading(home) as history:
        settings = config.load(home)
        found: list[list[Candidate]] = []
        waiting = queue.whole(history, settings)
        rules = queue.whole(history, settings, protocol=True)
        wanted = numbers.by_name([*waiting, *rules], decisions.statuses(home), names)
        for everyone, protocol in ((waiting, False), (rules, True)):
            own = [each for each in wanted if any(each == other.fingerprint for other in everyone)]
            ready = queue.with_triggers(history, settings, own, protocol)
            found += [_with_duplicates(each, [] if protocol else everyone) for each in ready]
    return sorted(found, key=lambda each: wanted.index(each[0].fingerprint))


def _by_number(home: str, wanted: Sequence[int]) -> list[list["Candidate"]]:
    from lessons import config
    from lessons.promote.promotion import promotion
    from lessons.promote.queue import numbers, queue
    from lessons.store import decisions, listing
    from lessons.store.history.history import History

    promotion.settle(home)
    shown = listing.read(home)
    with History.for_reading(home) as history:
        waiting = queue.whole(history, config.load(home), shown is not None and shown.protocol)
    return _by_name(home, numbers.by_number(shown, waiting, decisions.statuses(home), wanted))


def _with_duplicates(candidate: "Candidate", everyone: Sequence["Candidate"]) -> list["Candidate"]:
    from lessons.promote.queue.clusters import clusters

    for cluster in clusters(everyone):
        if any(each.fingerprint == candidate.fingerprint for each in cluster):
            return [candidate, *(each for each in cluster if each.fingerprint != candidate.fingerprint)]
    return [candidate]


def _promote_all(
    home: str,
    found: Sequence[Sequence["Candidate"]],
    given: dict[str, object],
    values: dict[str, object],
    as_json: bool,
    yes: bool,
) -> int:
    from lessons.cli.promotion_flow import document_of, promote_one, told
    from lessons.promote.promotion.promotion import Promoted

    done: list[Promoted] = []
    refused: list[dict[str, object]] = []
    taken: dict[str, str] = {}
    for candidate, *others in found:
        if slug := taken.get(candidate.fingerprint):
            render.note(f"{candidate.fingerprint} is merged into {slug} already.")
            continue
        others = [each for each in others if each.fingerprint not in taken]
        choice = choice_of(candidate, given, values)
        outcome = promote_one(home, candidate, choice, others, ask=not yes)
        if isinstance(outcome, Promoted):
            done.append(outcome)
            taken |= {each.fingerprint: str(outcome.record["slug"]) for each in (candidate, *others)}
            render.warn(outcome.warnings if yes else [])
            if not as_json:
                render.say(told(outcome))
        elif outcome is not None:
            refused.append({"fingerprint": candidate.fingerprint, "reasons": outcome})
            for sentence in outcome:
                render.note(f"{candidate.fingerprint}: {sentence}")
            if all(sentence.startswith(("block needs", "stopOnce needs")) for sentence in outcome):
                render.note("To promote it all the same, add --force.")
    render.emit(as_json, {"promoted": [document_of(each) for each in done], "refused": refused}, lambda: None)
    return 1 if refused else 0
