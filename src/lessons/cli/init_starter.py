"""Offers the starter lessons that would have caught a failed call of this history; stores accepted ones at once."""

from collections.abc import Callable

import click
from rich.console import Console
from rich.text import Text

from lessons.cli import render
from lessons.cli.excerpts import cut, excerpt, print_figures, raw_lines
from lessons.cli.terminal import ask_key, single_keys
from lessons.model import lesson_from_document
from lessons.promote import catalog, starter
from lessons.promote.backtest import Example
from lessons.promote.first_lessons import FirstLesson, take_starters
from lessons.promote.publish.entry import injection_of
from lessons.promote.starter import StarterMatch, StarterMatches

ALL_KEYS = "[a]dd all  s[h]adow: try all silently  [c]hoose one by one  [n]one  > "
ONE_KEYS = "[y]es, add it  s[h]adow: try it silently  [n]o  [q]uit choosing  > "
_MEANING = (
    "call, error: failed calls it fires on, before they run or after their error."
    " good: calls it fires on that worked. Press c to see each lesson in full."
)
_COLUMNS = "call  error  good  lesson"
_OTHER_ROWS = 9  # of the list, in addition to its lessons
_MOST_EXAMPLES = 3
_MOST_DISTURBED_SHOWN = 2
_STAGES = {"a": "", "y": "", "h": "shadow"}

Tell = Callable[[str], None]


def headline(matches: StarterMatches) -> str:
    """Returns `7 of the 99 starter lessons match 58 of your 412 failed calls`."""
    number, verb = len(matches.found), "matches" if len(matches.found) == 1 else "match"
    calls = f"{matches.failed_calls:,} of your {matches.all_failed:,} failed calls"
    return f"{number} of the {matches.pack} starter lessons {verb} {calls}"


def offer(home: str, matches: StarterMatches, tell: Tell) -> list[FirstLesson]:
    """Returns the lessons that the user accepted."""
    if not matches.found:
        return []
    tell("")
    tell(f"{headline(matches)}:")
    print_figures(_COLUMNS, [_row(each) for each in matches.found], _MEANING, _OTHER_ROWS)
    with single_keys():
        key = ask_key(ALL_KEYS, "ahcnq")
        if key in _STAGES:
            return _done(take_starters(home, matches.found, _STAGES[key]))
        if key == "n":
            _decline(home, matches.found)
        return _one_by_one(home, matches.found) if key == "c" else []


def _done(taken: list[FirstLesson]) -> list[FirstLesson]:
    number = "1 starter lesson" if len(taken) == 1 else f"{len(taken)} starter lessons"
    click.secho(f"Added {number}.", fg="green")
    return taken


def _decline(home: str, refused: list[StarterMatch]) -> None:
    starter.decline(home, [each.slug for each in refused])
    what = "it" if len(refused) == 1 else "them"
    click.echo(f"`lessons init` will not offer {what} again; `lessons add --starter` does.")


def _row(match: StarterMatch) -> str:
    effect = catalog.describe(match.record)
    words = render.printable(match.summary if effect == "hint" else f"[{effect}] {match.summary}")
    return f"{match.at_call:>4}  {match.at_error:>5}  {match.disturbed:>4}  {words}"


def _one_by_one(home: str, found: list[StarterMatch]) -> list[FirstLesson]:
    taken: list[FirstLesson] = []
    for number, each in enumerate(found, start=1):
        _draw(each, f"starter lesson {number} of {len(found)}")
        key = ask_key(ONE_KEYS, "yhnq")
        if key == "q":
            break
        if key in _STAGES:
            taken += _done(take_starters(home, [each], _STAGES[key]))
        else:
            _decline(home, [each])
    return taken


def _draw(match: StarterMatch, place: str) -> None:
    """Prints on one screen what it would have caught and disturbed, and what the agent would read."""
    console = Console(highlight=False)
    width = max(40, console.width) - 1
    heading = Text(f"── {place} ── {catalog.describe(match.record)} ", style="bold cyan")
    heading.append("─" * max(0, width - heading.cell_len))
    lines = [Text(), heading, Text(match.sentence(), style="bold")]
    lines += _examples("caught", match.failed[:_MOST_EXAMPLES], width)
    lines += _examples("disturbed", match.good[:_MOST_DISTURBED_SHOWN], width)
    lines.append(Text("the agent would read:", style="bold"))
    words = render.printable(injection_of(lesson_from_document({"id": match.slug, **match.record})))
    folded = [part for line in words.split("\n") for part in Text(line).wrap(console, width - 2)]
    room = max(4, console.height - len(lines) - 2)
    lines += [Text("  ").append_text(line) for line in excerpt(folded, room)]
    for line in lines:
        console.print(line, no_wrap=True, overflow="ellipsis", crop=True)


def _examples(label: str, examples: list[Example], width: int) -> list[Text]:
    lines: list[Text] = []
    for example in examples:
        words = " ".join(" ".join(raw_lines(example.command or example.path or example.tool)).split())
        lines.append(cut(f"{label:<10}{words}", width))
        if example.error and label == "caught":
            lines.append(cut(f"{'':<10}{' '.join(raw_lines(example.error))}", width, "dim"))
    return lines
