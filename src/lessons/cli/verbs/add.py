"""`lessons add`: stores a lesson from options, a file or answers."""

import click

from lessons.cli import guided, render
from lessons.cli.home import data_home
from lessons.cli.options.lesson import document_from_options, documents_from, lesson_options
from lessons.cli.options.memories import remembered
from lessons.cli.starter_offer import add_starter, list_starter
from lessons.promote import catalog
from lessons.promote.backtest.history_check import warnings_from_history


@click.command("add", short_help="Write a lesson, or import the starter pack")
@click.option("--from", "source", metavar="FILE|-", help="Read the record(s) from a JSON file, or from standard input.")
@click.option("--from-memory", "memory", metavar="NAME", help="Make a lesson of what memory says (`lessons log`).")
@click.option("--starter", is_flag=True, help="Offer the lessons that come with this tool.")
@click.option("--yes", is_flag=True, help="With --starter: import all of them without asking.")
@click.option("--list", "listing", is_flag=True, help="With --starter: list them and import nothing.")
@lesson_options
@render.json_option
def command(
    source: str | None,
    memory: str | None,
    starter: bool,
    yes: bool,
    listing: bool,
    as_json: bool,
    **values: object,
) -> None:
    """Write a lesson, or import the starter pack.

    Use options, a file, or (on a terminal, without either) answer questions. With --starter, --tag takes only the
    lessons with that tag.

    \b
    lessons add --summary 'git stash leaves untracked files behind' \\
      --problem 'Plain `git stash` stashes tracked files only.' \\
      --solution 'Use `git stash -u` when new files matter.' \\
      --command-pattern 'git stash$' --match-on invocation --tag tool:git
    """
    given = document_from_options(values)
    tags = given.pop("tags", []) if starter else []
    home = data_home()
    if memory is not None:
        given = {**remembered(home, memory).document(), **given}
    if sum((source is not None, starter, bool(given))) > 1:
        raise click.UsageError("Use --from, --starter or the options of a lesson, only one of them.")
    if listing and (yes or not starter):
        raise click.UsageError("--list needs --starter, and no --yes.")
    if starter:
        chosen = [str(tag) for tag in tags] if isinstance(tags, list) else []
        list_starter(home, chosen, as_json) if listing else add_starter(home, chosen, yes, as_json)
        return
    if source is not None:
        documents = documents_from(source)
    elif given:
        documents = [given]
    elif render.can_ask() and not as_json:
        documents = [guided.ask()]
    else:
        raise click.UsageError("Give the options of a lesson, --from FILE, or --starter --yes.")
    stored = catalog.add_all(home, documents)
    for each in stored:
        render.warn([*each.warnings, *warnings_from_history(home, each.record)])
    records = [each.record for each in stored]
    document = records[0] if len(records) == 1 else {"lessons": records}
    render.emit(as_json, document, lambda: _print(stored))


def _print(stored: list[catalog.Stored]) -> None:
    out = {each.slug: each.reason for each in stored[0].build.excluded}
    for each in stored:
        slug = str(each.record["slug"])
        if slug in out:
            render.say(f"Stored {slug}, but it cannot fire: {out[slug]}")
        else:
            render.say(f"Stored {slug} ({catalog.describe(each.record)}). It fires from the next call on.")
