"""`lessons add`: stores a lesson from options, a file or answers."""

import os

import click

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options import document_from_options, documents_from, lesson_options
from lessons.cli.starter_offer import add_starter, list_starter
from lessons.lesson_fields import BEFORE_A_CALL, FIRING, WORDS
from lessons.model import lesson_from_document
from lessons.promote import catalog, intake
from lessons.promote.candidate import Candidate
from lessons.promote.draft import warnings_from_history
from lessons.promote.remembered import candidates_of, remembered
from lessons.store.state_paths import root_of


def ask() -> dict[str, object]:
    """Asks the few questions that a lesson needs; the rest has defaults and can be edited later."""
    click.echo("A new lesson. Press Ctrl-C to quit without storing it.\n")
    document: dict[str, object] = {field.name: _answer(field.name, field.question) for field in WORDS}
    patterns = {field.looks_at: field for field in FIRING if field.question}
    kind = click.prompt("Fires on", type=click.Choice(tuple(patterns)))
    field = patterns[kind]
    triggers: dict[str, object] = {field.name: [_pattern(field.name, field.question)]}
    if kind == "command":
        triggers = {"toolNames": ["Bash"], **triggers, "matchOn": "invocation"}
    document["triggers"] = triggers
    if field in BEFORE_A_CALL and click.confirm("Stop the first such call of a session? (else: hint with its result)"):
        document["stopOnce"] = True
    document |= _scope(root_of(os.getcwd()))
    document["tags"] = _tags()
    return document


def _scope(root: str) -> dict[str, object]:
    """Returns the chosen scope: everywhere, or only the project of this folder."""
    click.echo(f"This project is {render.printable(root)}.")
    answer = click.prompt("Fires where?", type=click.Choice(("everywhere", "project")), default="everywhere")
    return {"scope": {"type": "project", "path": root}} if answer == "project" else {}


def _answer(field: str, question: str) -> str:
    while True:
        answer = str(click.prompt(question)).strip()
        if _is_good(field, {field: answer}):
            return answer


def _pattern(field: str, question: str) -> str:
    while True:
        answer = str(click.prompt(question))
        if _is_good("triggers", {"triggers": {field: [answer]}}):
            return answer


def _tags() -> list[str]:
    while True:
        answer = str(click.prompt("Tags, separated by spaces (category:value)", default="", show_default=False))
        if _is_good("tags", {"tags": answer.split()}):
            return answer.split()


def _is_good(field: str, document: dict[str, object]) -> bool:
    """Whether this answer passes the rules of a lesson; prints the problem if not."""
    problems = intake.check(lesson_from_document(intake.normalise(document))).problems
    wrong = [sentence for sentence in problems if sentence.startswith(field)]
    for sentence in wrong:
        click.echo(sentence)
    return not wrong


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
    if memory is not None and (source is not None or starter):
        raise click.UsageError("Use --from-memory, --from or --starter, only one of them.")
    if sum((source is not None, starter, bool(given))) > 1:
        raise click.UsageError("Use --from, --starter or the options of a lesson, only one of them.")
    if listing and (yes or not starter):
        raise click.UsageError("--list needs --starter, and no --yes.")
    if starter:
        chosen = [str(tag) for tag in tags] if isinstance(tags, list) else []
        list_starter(home, chosen, as_json) if listing else add_starter(home, chosen, yes, as_json)
        return
    if memory is not None:
        known = remembered(home, memory)
        if about := candidates_of(home, known):
            _promote(home, about, given, as_json)
            return
        given = {**known.document(), **given}
    if source is not None:
        documents = documents_from(source)
    elif given:
        documents = [given]
    elif render.can_ask() and not as_json:
        documents = [ask()]
    else:
        raise click.UsageError("Give the options of a lesson, --from FILE, or --starter --yes.")
    stored = catalog.add_all(home, documents)
    for each in stored:
        render.warn([*each.warnings, *warnings_from_history(home, each.record)])
    records = [each.record for each in stored]
    document = records[0] if len(records) == 1 else {"lessons": records}
    render.emit(as_json, document, lambda: _print(stored))


def _promote(home: str, about: list[Candidate], given: dict[str, object], as_json: bool) -> None:
    """Makes a lesson of the candidate that memory speaks about."""
    from lessons.cli.promotion_flow import promotion_message
    from lessons.cli.verbs.promote import choice_of
    from lessons.promote.decide import promote

    candidate, *others = about
    made = promote(home, candidate, choice_of(candidate, given, {}), others)
    render.warn(made.warnings)
    render.emit(as_json, made.record, lambda: render.say(promotion_message(made)))


def _print(stored: list[catalog.Stored]) -> None:
    out = {each.slug: each.reason for each in stored[0].build.excluded}
    for each in stored:
        slug = str(each.record["slug"])
        if slug in out:
            render.say(f"Stored {slug}, but it cannot fire: {out[slug]}")
        else:
            render.say(f"Stored {slug} ({catalog.describe(each.record)}). It fires from the next call on.")
