"""The edit menu of a review."""

import os

import click
import msgspec

from lessons.cli import render
from lessons.cli.review.keys import edit_line, read_key
from lessons.lesson_fields import FIRING, WORDS
from lessons.model import Scope, Triggers
from lessons.promote.intake.trigger_rules import trigger_problems
from lessons.promote.promotion.promotion import Choice
from lessons.promote.review.case import Case

_TEXTS = {field.edit_key: field for field in WORDS if field.edit_key}
_KINDS: dict[str, str] = {field.looks_at: field.attribute for field in FIRING}
MENU = "  ".join(
    [
        "edit: [t]rigger",
        "[u]nless",
        *(field.name.replace(key, f"[{key}]", 1) for key, field in _TEXTS.items()),
        "s[c]ope",
        "> ",
    ]
)
_EVERYWHERE = "everywhere"


def edit(case: Case, suggested: Triggers | None) -> Choice:
    """The edited choice; `suggested` is a trigger for a case that has none."""
    click.secho(f"\n{MENU}", bold=True, nl=False)
    key = read_key()
    click.echo(render.printable(key))
    if key in _TEXTS:
        return _text(case, _TEXTS[key].name)
    if key == "t":
        return _triggers(case, suggested)
    if key == "u":
        return _unless(case)
    return _scope(case) if key == "c" else case.choice


def _text(case: Case, field: str) -> Choice:
    present = " ".join(case.text(field).split())
    answer = edit_line(field, present)
    if not answer or answer == present:
        return case.choice
    return case.choice.with_text(field, answer)


def _triggers(case: Case, suggested: Triggers | None) -> Choice:
    """Ask for every pattern in turn (an empty line removes it), or for a new one if there is none."""
    present = case.triggers or Triggers()
    changes: dict[str, object] = {}
    for kind, field in _KINDS.items():
        answers = [_pattern(f"{kind} pattern", pattern, field) for pattern in getattr(present, field)]
        if None in answers:
            return case.choice
        changes[field] = [answer for answer in answers if answer]
    if not any(changes.values()):
        click.echo("A regex for the start of the command. Start with `error:` or `path:` to match those instead.")
        patterns = suggested.error_patterns if suggested else []
        answer = _pattern("command pattern", f"error: {patterns[0]}" if patterns else "", "command_patterns")
        if not answer:
            return case.choice
        changes |= _new_pattern(answer)
    return msgspec.structs.replace(case.choice, triggers=msgspec.structs.replace(present, **changes))


def _new_pattern(answer: str) -> dict[str, object]:
    kind, colon, pattern = answer.partition(":")
    if colon and kind in _KINDS and pattern.strip():
        return {_KINDS[kind]: [pattern.strip()]}
    return {"command_patterns": [answer], "match_on": "invocation"}


def _unless(case: Case) -> Choice:
    if case.triggers is None:
        return case.choice  # without a trigger there is nothing to except
    answers = [_pattern("unless", pattern, "unless") for pattern in case.triggers.unless]
    if None in answers:
        return case.choice
    answers.append(_pattern("unless (one more, or Enter)" if answers else "unless", "", "unless"))
    kept = [answer for answer in answers if answer]
    triggers = msgspec.structs.replace(case.triggers, unless=kept)
    return msgspec.structs.replace(case.choice, triggers=triggers)


def _pattern(question: str, present: str, field: str) -> str | None:
    """Ask until the pattern is valid. Empty: no pattern. None: cancelled."""
    while answer := edit_line(question, present):
        changes = _new_pattern(answer) if field == "command_patterns" else {field: [answer]}
        problems = list(trigger_problems(Triggers(**{"session_start": True, **changes})))  # type: ignore[arg-type]
        if not problems:
            return answer
        click.secho(render.printable("\n".join(problems)), fg="red")
        present = answer
    return answer


def _scope(case: Case) -> Choice:
    present = case.scope.path or ("machine" if case.scope.type == "machine" else _EVERYWHERE)
    answer = edit_line(f"scope (a folder, machine, or {_EVERYWHERE})", present)
    if not answer:
        return case.choice
    if answer in (_EVERYWHERE, "global"):
        return msgspec.structs.replace(case.choice, scope=Scope(type="global"))
    if answer == "machine":
        return msgspec.structs.replace(case.choice, scope=Scope(type="machine"))
    folder = os.path.abspath(os.path.expanduser(answer))
    return msgspec.structs.replace(case.choice, scope=Scope(type="project", path=folder))
