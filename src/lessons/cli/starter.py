"""Offers lessons of the starter pack: whole or by tag, and those that would have caught a failed call."""

from collections import Counter

import click
from rich.console import Console
from rich.text import Text

from lessons.cli import render
from lessons.cli.excerpts import cut_around, excerpt, print_figures, wrapped
from lessons.cli.render import many
from lessons.cli.terminal import ask_key, single_keys
from lessons.errors import NotFound, Refused
from lessons.model import lesson_from_document
from lessons.promote import catalog, starter
from lessons.promote.first_lessons import FirstLesson, take_starters
from lessons.promote.publish.entry import injection_of
from lessons.promote.starter import StarterMatch, StarterMatches

Record = dict[str, object]

_NOTHING_LEFT = "You already have every lesson of the starter pack."


def add_starter(home: str, tags: list[str], yes: bool) -> None:
    """Imports the chosen lessons of the pack; without a terminal only with --yes."""
    offered = _with_tags(starter.missing(home), tags)
    if not yes and not render.can_ask():
        number = many(len(offered), "lesson")
        about = f" tagged {', '.join(tags)}" if tags else ""
        raise Refused(
            f"The starter pack has {number}{about} that you do not have."
            " Add --yes to import them, or --list to read them."
        )
    if offered and not yes:
        matches = [StarterMatch(record, 0, 0, [], []) for record in offered]
        about = f"The starter pack has {many(len(matches), 'lesson')} that you do not have:"
        _offered(home, matches, about, "lesson", [*map(_title, matches)], "Press c to see each in full.")
        return
    stored = catalog.add_all(home, offered) if offered else []
    done = f"Imported {many(len(stored), 'lesson')} of the starter pack. `lessons list` lists them."
    sentence = done if stored else _NOTHING_LEFT
    render.emit({"lessons": [each.record for each in stored]}, lambda: render.say(sentence))


def list_starter(home: str, tags: list[str]) -> None:
    """Lists the lessons of the pack that are not stored yet, and the tags."""
    offered = _with_tags(starter.missing(home), tags)
    rows = [(each["slug"], catalog.describe(each), " ".join(_tags(each)), each["summary"]) for each in offered]
    columns = ("slug", "effect", "tags", "summary")
    render.emit({"lessons": offered}, lambda: render.table(columns, rows, _NOTHING_LEFT, below=2))


def _with_tags(records: list[Record], tags: list[str]) -> list[Record]:
    """Returns those with any of the tags (`git` is short for `tool:git`); all of them without a tag."""
    all_tags = Counter(tag for record in starter.pack() for tag in _tags(record))
    for tag in tags:
        if not any(_is_meant(tag, each) for each in all_tags):
            raise NotFound(f"No lesson of the starter pack is tagged {tag}. Its tags: {', '.join(sorted(all_tags))}.")
    if not tags:
        return records
    return [record for record in records if any(_is_meant(tag, own) for tag in tags for own in _tags(record))]


def _is_meant(wanted: str, tag: str) -> bool:
    return wanted in (tag, tag.partition(":")[2])


def _tags(record: Record) -> list[str]:
    tags = record.get("tags")
    return [str(tag) for tag in tags] if isinstance(tags, list) else []


_ALL_KEYS = "[a]dd all  s[h]adow: try all silently  [c]hoose one by one  [n]one  > "
_ONE_KEYS = "[y]es, add it  s[h]adow: try it silently  [n]o  [q]uit choosing  > "
_MEANING = (
    "call, error: failed calls it fires on, before they run or after their error."
    " good: calls it fires on that worked. Press c to see each lesson in full."
)
_MEANING_OF_GUARDS = (
    "times: how often your agents did this so far. `git reset --hard` and the like"
    " are stopped only while there is something to lose. Press c to see each in full."
)
_COLUMNS = "call  error  good  lesson"
_OTHER_ROWS = 9  # of the list, in addition to its lessons
_MOST_EXAMPLES = {"disturbed": 2}
_STAGES = {"a": "", "y": "", "h": "shadow"}


def headline(matches: StarterMatches) -> str:
    """Returns `7 of the 99 starter lessons match 58 of your 412 failed calls`."""
    number, verb = len(matches.found), "matches" if len(matches.found) == 1 else "match"
    calls = f"{matches.failed_calls:,} of your {matches.all_failed:,} failed calls"
    return f"{number} of the {matches.pack} starter lessons {verb} {calls}"


def offer_matches(home: str, matches: StarterMatches) -> list[FirstLesson]:
    """Offers the lessons that match failed calls; returns the accepted ones, which are stored at once."""
    rows = [f"{each.at_call:>4}  {each.at_error:>5}  {each.disturbed:>4}  {_title(each)}" for each in matches.found]
    return _offered(home, matches.found, f"{headline(matches)}:", _COLUMNS, rows, _MEANING) if rows else []


def offer_guards(home: str, guards: list[StarterMatch]) -> list[FirstLesson]:
    """Offers the lessons that prevent a loss of data; returns the accepted ones, which are stored at once."""
    rows = [f"{each.caught:>5}  {render.printable(each.summary)}" for each in guards]
    about = f"{many(len(rows), 'guard')} against losing work, each stops the call once:"
    return _offered(home, guards, about, "times  guard", rows, _MEANING_OF_GUARDS) if rows else []


def _title(match: StarterMatch) -> str:
    effect = catalog.describe(match.record)
    return render.printable(match.summary if effect == "hint" else f"[{effect}] {match.summary}")


def _offered(
    home: str, matches: list[StarterMatch], about: str, columns: str, rows: list[str], meaning: str
) -> list[FirstLesson]:
    click.echo()
    render.put(about)
    print_figures(columns, rows, meaning, _OTHER_ROWS)
    taken: list[FirstLesson] = []
    kind = "guard" if matches[0].is_guard else "starter lesson"
    with single_keys():
        key = ask_key(_ALL_KEYS, "ahcnq")
        if key != "c":
            return _decided(home, matches, key)
        for number, match in enumerate(matches, start=1):
            _draw(match, f"{kind} {number} of {len(matches)}")
            key = ask_key(_ONE_KEYS, "yhnq")
            if key == "q":
                break
            taken += _decided(home, [match], key)
    return taken


def _decided(home: str, matches: list[StarterMatch], key: str) -> list[FirstLesson]:
    """Stores the lessons, or notes that they were declined; returns the stored ones."""
    if key in _STAGES:
        taken = take_starters(home, matches, _STAGES[key])
        kind = "guard" if matches[0].is_guard else "starter lesson"
        click.secho(f"Added {many(len(taken), kind)}.", fg="green")
        return taken
    if key == "n" and any(each.caught or each.is_guard for each in matches):
        starter.decline(home, [each.slug for each in matches])
        what = "it" if len(matches) == 1 else "them"
        render.put(f"`lessons init` will not offer {what} again; `lessons add --starter` does.")
    return []


def _draw(match: StarterMatch, place: str) -> None:
    """Prints on one screen what it would have caught and disturbed, and what the agent would read."""
    console = Console(highlight=False)
    width = max(40, console.width) - 1
    lesson = lesson_from_document({"id": match.slug, **match.record})
    triggers = lesson.triggers
    lines = [
        Text(),
        Text(f"── {place} ── {catalog.describe(match.record)} ".ljust(width, "─")[:width], style="bold cyan"),
        *(wrapped(Text(match.sentence(), style="bold"), width) if match.caught or match.is_guard else []),
    ]
    label_of_failed = "call" if match.is_guard else "caught" if match.at_call else "failed"
    for label, examples in ((label_of_failed, match.failed), ("disturbed", match.good)):
        for example in examples[: _MOST_EXAMPLES.get(label, 3)]:
            call = render.one_line(example.command or example.path or example.tool)
            lines.append(Text(f"{label:<10}").append_text(cut_around(call, triggers.command_patterns, width - 10)))
            if example.error and label in ("caught", "failed"):
                error = cut_around(render.one_line(example.error), triggers.error_patterns, width - 10, "dim")
                lines.append(Text(" " * 10).append_text(error))
    lines.append(Text("the agent would read:", style="bold"))
    words = render.printable(injection_of(lesson))
    folded = [part for line in words.split("\n") for part in wrapped(Text(line), width - 2)]
    lines += [Text("  ").append_text(line) for line in excerpt(folded, max(4, console.height - len(lines) - 2))]
    for line in lines:
        console.print(line, no_wrap=True, crop=True)
