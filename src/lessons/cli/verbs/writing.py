"""`lessons add` and `lessons edit`: write a lesson with options, a file, answers or an editor."""

import os

import click

from lessons.cli import render
from lessons.cli.options import (
    data_home,
    document_from_options,
    documents_from,
    lesson_options,
    naming_own_lesson,
    slug_argument,
)
from lessons.cli.render import put
from lessons.cli.starter import add_starter, list_starter
from lessons.cli.terminal import in_editor
from lessons.cli.verbs.promote import choice_of, promotion_message
from lessons.errors import Refused
from lessons.failure.error_text import telling_line
from lessons.lesson_fields import BEFORE_A_CALL, FIRING, WORDS
from lessons.model import lesson_from_document
from lessons.promote import catalog, decide, intake, one_line
from lessons.promote.draft import warnings_from_history
from lessons.promote.remembered import candidates_of, remembered
from lessons.store import lesson_file
from lessons.store.state_paths import root_of


def _ask() -> dict[str, object]:
    """Asks the few questions that a lesson needs; the rest has defaults and can be edited later."""
    click.echo("A new lesson. Press Ctrl-C to quit without storing it.\n")
    document: dict[str, object] = {}
    for field in WORDS:
        may_skip = field.name == "problem"
        question = f"{field.question}{' (Enter: skip)' if may_skip else ''}"
        document[field.name] = _answer(field.name, question, "" if may_skip else None).strip()
    patterns = {field.looks_at: field for field in FIRING if field.question}
    kind = click.prompt("Fires on", type=click.Choice(tuple(patterns)))
    field = patterns[kind]
    triggers: dict[str, object] = {field.name: [_answer(f"triggers.{field.name}", field.question)]}
    if kind == "command":
        triggers = {"toolNames": ["Bash"], **triggers, "matchOn": "invocation"}
    document["triggers"] = triggers
    if field in BEFORE_A_CALL and click.confirm("Stop the first such call of a session? (else: hint with its result)"):
        document["stopOnce"] = True
    root = root_of(os.getcwd())
    click.echo(f"This project is {render.printable(root)}.")
    places = click.Choice(("everywhere", "project"))
    if click.prompt("Fires where?", type=places, default="everywhere") == "project":
        document["scope"] = {"type": "project", "path": root}
    document["tags"] = _answer("tags", "Tags, separated by spaces (category:value)", default="").split()
    return document


def _answer(place: str, question: str, default: str | None = None) -> str:
    """Asks until the answer passes the rules of a lesson for this place in the record; prints the problems."""
    field, _, pattern = place.partition(".")
    while True:
        answer = str(click.prompt(question, default=default, show_default=False))
        value: object = {pattern: [answer]} if pattern else answer.split() if field == "tags" else answer.strip()
        found = intake.check(lesson_from_document(intake.normalise({field: value})), (), intake.TEXTS).problems
        wrong = [sentence for sentence in found if sentence.startswith(field)]
        if not wrong:
            return answer
        click.echo("\n".join(wrong))


@click.command("add", short_help="Write a lesson, or import the starter pack")
@click.argument("words", nargs=-1, metavar="[COMMAND TEXT]")
@click.option("--from", "source", metavar="FILE|-", help="Read the record(s) from a JSON file, or from standard input.")
@click.option("--from-memory", "memory", metavar="NAME", help="Make a lesson of what memory says (`lessons log`).")
@click.option("--from-search", "hit", type=int, metavar="N", help="Make a lesson of the Nth hit of your last search.")
@click.option("--from-call", "call", metavar="ID", help="Make a lesson of a recorded call, by its tool_use_id.")
@click.option("--starter", is_flag=True, help="Offer the lessons that come with this tool.")
@click.option("--yes", is_flag=True, help="With --starter: import all of them without asking.")
@click.option("--list", "listing", is_flag=True, help="With --starter: list them and import nothing.")
@lesson_options
@render.json_option
def add(
    words: tuple[str, ...],
    source: str | None,
    memory: str | None,
    hit: int | None,
    call: str | None,
    starter: bool,
    yes: bool,
    listing: bool,
    **values: object,
) -> None:
    """Write a lesson, or import the starter pack.

    In one line: how the command begins, and what the agent shall read. It is a hint; --stop or --block makes it more.

    \b
    lessons add 'npm install' 'Use pnpm here'
    lessons add 'git push --force' 'Use --force-with-lease' --block

    Or use options, a file, or (on a terminal, without either) answer questions. With --starter, --tag takes only the
    lessons with that tag. What an agent adds is a hint in its project; the rest of it waits for your review.
    """
    given = document_from_options(values)
    tags = given.pop("tags", []) if starter else []
    home, author = data_home(), decide.author()
    sources = {
        "COMMAND TEXT": bool(words), "--from": source is not None, "--from-memory": memory is not None,
        "--from-search": hit is not None, "--from-call": call is not None, "--starter": starter,
    }  # fmt: skip
    chosen = [name for name, is_given in sources.items() if is_given]
    if len(chosen) > 1:
        raise click.UsageError(f"Use {' or '.join(chosen)}, not both.")
    if given and (source is not None or starter):
        raise click.UsageError("Use --from, --starter or the options of a lesson, only one of them.")
    if words and (len(words) != 2 or not words[0].strip() or not any(len(each.split()) > 1 for each in words)):
        raise click.UsageError("Give two quoted texts: how the command begins, and what the agent reads.")
    if listing and (yes or not starter):
        raise click.UsageError("--list needs --starter, and no --yes.")
    if starter:
        wanted = [str(tag) for tag in tags] if isinstance(tags, list) else []
        list_starter(home, wanted) if listing else add_starter(home, wanted, yes)
        return
    if memory is not None:
        recall = remembered(home, memory)
        about = candidates_of(home, recall)
        if about and not author:  # what an agent adds is its own hint, no decision about a candidate
            candidate, *others = about
            made = decide.promote(home, candidate, choice_of(candidate, given, {}), others)
            render.warn(made.warnings)
            render.emit(made.record, lambda: render.say(promotion_message(made)))
            return
        given = {**recall.document(), **given}
    if words:
        given = _typed_rule(words[0], words[1], given)
    if hit is not None or call is not None:
        given = _of_call(home, one_line.hit(home, hit) if hit is not None else call or "", given)
    if source is not None:
        documents = documents_from(source)
    elif given:
        documents = [given]
    elif render.can_ask():
        documents = [_ask()]
    else:
        raise click.UsageError("Give the options of a lesson, --from FILE, or --starter --yes.")
    if author:
        documents = [catalog.of_agent(each, author, root_of(os.getcwd())) for each in documents]
    stored = catalog.add_all(home, documents, () if source is not None or memory is not None else intake.TEXTS)
    for each in stored:
        warnings = [each for each in each.warnings if not (author and each.startswith("needsReview"))]
        render.warn([*warnings, *warnings_from_history(home, each.record)])
    records = [each.record for each in stored]
    document = records[0] if len(records) == 1 else {"lessons": records}
    left_out = {each.slug: each.reason for each in stored[0].build.excluded}

    def print_all() -> None:
        for record in records:
            slug = str(record["slug"])
            then = f" ({catalog.describe(record)}). It fires from the next call on{_where(record)}."
            if slug in left_out:
                then = f", but it cannot fire: {left_out[slug]}"
            if author and record["needsReview"]:
                then = f" for review. {_NEEDS_PERSON}: `lessons edit {slug} --confidence 0.8`."
            render.say(f"Stored {slug}{then}{' It is shown as written by an agent, not by you.' if author else ''}")

    render.emit(document, print_all)


_NEEDS_PERSON = "It stops or blocks calls or acts outside this project, so a person must turn it on"


def _where(record: dict[str, object]) -> str:
    scope = record["scope"]
    assert isinstance(scope, dict)
    return f", in {scope['path']} only" if scope["type"] == "project" else ""


def _typed_rule(command: str, text: str, given: dict[str, object]) -> dict[str, object]:
    triggers = given.get("triggers")
    has_own_pattern = isinstance(triggers, dict) and "commandPatterns" in triggers
    if has_own_pattern:
        raise click.UsageError("Use COMMAND TEXT or --command-pattern, not both.")
    reason = {"blockReason": text} if given.get("block") else {}
    return lesson_file.merged({**one_line.rule(command.strip(), text.strip()), **reason}, given)


def _of_call(home: str, name: str, given: dict[str, object]) -> dict[str, object]:
    """Returns the lesson about a recorded call; asks for what is missing, or refuses without a person."""
    call = one_line.recorded(home, name)
    words = one_line.first_words(call)
    if "solution" not in given and not render.can_ask():
        raise click.UsageError("Give --solution: what the agent shall read.")
    if render.can_ask():
        put(call.command or call.path or call.tool, label="The call: ")
        if call.error:
            put(telling_line(call.error), label="It failed: ")
        if words and "triggers" not in given:
            words = _beginning(words)
    document = lesson_file.merged(one_line.of_call(home, call, words), given)
    text = str(document.get("solution") or _answer("solution", "What shall the agent read?")).strip()
    blocks = {"blockReason": text} if document.get("block") else {}
    return {**blocks, "summary": one_line.title(words or call.tool, text), **document, "solution": text}


def _beginning(words: str) -> str:
    """Asks how the commands begin that the lesson is about."""
    while True:
        answer = str(click.prompt("For commands that begin with", default=words)).strip()
        try:
            one_line.beginning(answer)
            return answer
        except Refused as refused:
            click.echo(str(refused))


@click.command("edit", short_help="Change a lesson")
@slug_argument
@click.option(
    "--from", "source", metavar="FILE|-", help="Merge this JSON object into the record; null removes a field."
)
@lesson_options
@render.json_option
def edit(slug: str, source: str | None, **values: object) -> None:
    """Change a lesson: with options, with a JSON object, or (on a terminal, without either) in your editor.

    A list option replaces the old list.
    """
    home = data_home()
    changes = document_from_options(values)
    if source is not None:
        documents = documents_from(source)
        if len(documents) != 1:
            raise Refused(f"{len(documents)} records given: an edit takes one JSON object.")
        changes = {**documents[0], **changes}
    with naming_own_lesson(home, slug):
        if changes:
            typed = intake.TEXTS if source is None else ()
            stored: catalog.Stored | None = decide.edit(home, slug, changes, typed)
        elif render.can_ask():
            stored = _in_editor(home, slug)
        else:
            raise click.UsageError("Nothing to change: give options, or --from FILE.")
    if stored is None:
        render.say("Nothing was changed.")
        return
    render.warn(stored.warnings)
    record = stored.record
    render.emit(record, lambda: render.say(f"Changed {record['slug']}."))


def _in_editor(home: str, slug: str) -> catalog.Stored | None:
    record = lesson_file.read(home).find(slug)

    def store(after: dict[str, object]) -> catalog.Stored | None:
        changes = _difference(record, after)
        return decide.edit(home, str(record["slug"]), changes, intake.TEXTS) if changes else None

    return in_editor(record, store)


def _difference(before: dict[str, object], after: dict[str, object]) -> dict[str, object]:
    """Returns the changes from one record to the other, as an edit takes them: None for a removed field."""
    changes: dict[str, object] = dict.fromkeys(key for key in before if key not in after)
    for key, value in after.items():
        old = before.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            if inner := _difference(old, value):
                changes[key] = inner
        elif key not in before or old != value:
            changes[key] = value
    return changes
