"""Answers on a terminal in, a lesson's document out."""

import click

from lessons.model import lesson_from_document
from lessons.promote.intake import intake


def ask() -> dict[str, object]:
    """The few questions that make a lesson; everything else has a default and can be edited later."""
    click.echo("A new lesson. Ctrl-C leaves without storing anything.\n")
    document: dict[str, object] = {
        "summary": _answer("summary", "In one line, what goes wrong?"),
        "problem": _answer("problem", "Why does it go wrong?"),
        "solution": _answer("solution", "What works instead?"),
    }
    kind = click.prompt("Fires on a command, a path or an error?", type=click.Choice(("command", "path", "error")))
    if kind == "command":
        pattern = _pattern("commandPatterns", "How does the command begin? (regex, such as 'git stash$')")
        document["triggers"] = {"toolNames": ["Bash"], "commandPatterns": [pattern], "matchOn": "invocation"}
    elif kind == "path":
        document["triggers"] = {
            "pathPatterns": [_pattern("pathPatterns", "Which files? (glob, such as 'src/**/*.lock')")]
        }
    else:
        document["triggers"] = {"errorPatterns": [_pattern("errorPatterns", "What does the error say? (regex)")]}
    if kind != "error" and click.confirm("Stop the first such call of a session, rather than tell with its result?"):
        document["stopOnce"] = True
    document["tags"] = _tags()
    return document


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
    """Whether the rules of a lesson have nothing against this one answer; else the person is told what."""
    problems = intake.check(lesson_from_document(intake.normalise(document))).problems
    wrong = [sentence for sentence in problems if sentence.startswith(field)]
    for sentence in wrong:
        click.echo(sentence)
    return not wrong
