"""The questions of `lessons add` on a terminal."""

import os

import click

from lessons.cli import render
from lessons.lesson_fields import BEFORE_A_CALL, FIRING, WORDS
from lessons.model import lesson_from_document
from lessons.promote.intake import intake
from lessons.store.project_state.state_paths import root_of


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
