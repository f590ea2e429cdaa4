"""`lessons import`: imports lessons of other systems as candidates."""

import os
from collections import Counter

import click

from lessons import paths
from lessons.cli import render
from lessons.cli.folded import put
from lessons.cli.home import data_home
from lessons.promote.imports import review, sources
from lessons.promote.imports.review import Line
from lessons.redact.texts import redacted

_COLOURS = {review.TAKEN: "green", review.REFUSED: "yellow", review.ALREADY_THERE: "cyan"}
_WIDTH = len(review.ALREADY_THERE) + 2


@click.command("import", short_help="Import lessons from elsewhere, for review")
@click.argument("place", metavar="FILE|DIR")
@click.option(
    "--format", "chosen", type=click.Choice(("auto", *sources.FORMATS)), default="auto", help="The format of the file."
)
@click.option("--section", help="In a CLAUDE.md or AGENTS.md: only the bullets below this heading.")
@click.option("--dry-run", is_flag=True, help="Show what would be imported, and import nothing.")
@render.json_option
def command(place: str, chosen: str, section: str | None, dry_run: bool, as_json: bool) -> int:
    """Import lessons from elsewhere, for review: for example  lessons import CLAUDE.md

    Understands lessons.json, manifest and database of lessons-learned, rules of hookify, and the bullets of a
    CLAUDE.md or AGENTS.md below headings that sound like rules. Each goes through the same checks as one that you
    write yourself and becomes a candidate: nothing fires before you promote it.
    """
    format_ = None if chosen == "auto" else chosen
    if section is not None and format_ is None:
        format_ = "markdown"
    found = sources.read(place, format_, section)
    home = paths.data_home() if dry_run else data_home()
    lines = review.into_review(home, found, redacted, dry_run)
    counts = Counter(line.result for line in lines)
    document = {
        "taken": counts[review.TAKEN],
        "refused": counts[review.REFUSED],
        "alreadyThere": counts[review.ALREADY_THERE],
        "dryRun": dry_run,
        "lines": [line._asdict() for line in lines],
    }
    render.emit(as_json, document, lambda: _print(lines, counts, dry_run))
    return 1 if counts[review.REFUSED] == len(lines) else 0


def _print(lines: list[Line], counts: Counter[str], dry_run: bool) -> None:
    for line in lines:
        where = os.path.basename(line.file)
        place = where if line.place in ("", where) else f"{where}, {line.place}"
        reason = f": {line.reason}" if line.reason else ""
        put(f"{place} ({line.name}){reason}", 0, _COLOURS[line.result], line.result.ljust(_WIDTH))
    if not lines:
        render.note("Found nothing that looks like a rule. Name the heading with --section.")
        return
    total = ", ".join(f"{counts[result]} {result}" for result in _COLOURS)
    render.note(f"{total}.{' Nothing was stored: this was a dry run.' if dry_run else ''}")
    if counts[review.TAKEN] and not dry_run:
        render.note("Next: `lessons review`. Nothing fires before you promote it.")
