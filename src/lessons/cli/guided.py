"""Answers on a terminal in, a lesson's document out."""

import re

import click

from lessons.match.dialect import to_python


def ask() -> dict[str, object]:
    """The few questions that make a lesson; everything else has a default and can be edited later."""
    click.echo("A new lesson. Ctrl-C leaves without storing anything.\n")
    document: dict[str, object] = {
        "summary": _text("In one line, what goes wrong?", 20),
        "problem": _text("Why does it go wrong?", 20),
        "solution": _text("What works instead?", 20),
    }
    kind = click.prompt("Fires on a command, a path or an error?", type=click.Choice(("command", "path", "error")))
    if kind == "command":
        pattern = _regex("How does the command begin? (regex, such as 'git stash$')")
        document["triggers"] = {"toolNames": ["Bash"], "commandPatterns": [pattern], "matchOn": "invocation"}
    elif kind == "path":
        document["triggers"] = {"pathPatterns": [click.prompt("Which files? (glob, such as 'src/**/*.lock')")]}
    else:
        document["triggers"] = {"errorPatterns": [_regex("What does the error say? (regex)")]}
    if kind != "error" and click.confirm("Stop the first such call of a session, rather than tell with its result?"):
        document["stopOnce"] = True
    tags = click.prompt("Tags, separated by spaces (category:value)", default="", show_default=False)
    document["tags"] = tags.split()
    return document


def _text(question: str, shortest: int) -> str:
    while True:
        answer = str(click.prompt(question)).strip()
        if len(answer) >= shortest:
            return answer
        click.echo(f"At least {shortest} characters: this line is all that the agent will know.")


def _regex(question: str) -> str:
    while True:
        answer = str(click.prompt(question))
        try:
            re.compile(*to_python(answer))
        except (ValueError, re.error) as fault:
            click.echo(f"That is not a usable regex: {fault}.")
        else:
            return answer
