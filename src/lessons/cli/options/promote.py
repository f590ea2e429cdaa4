"""The flags of `lessons promote` in, what a person chose for a candidate out."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

from lessons.cli import render
from lessons.cli.options.lesson import document_from_options, lesson_options_but

if TYPE_CHECKING:
    from lessons.model import Triggers
    from lessons.promote.promotion.promotion import Choice
    from lessons.promote.queue.candidate import Candidate

Function = TypeVar("Function", bound=Callable[..., object])

# What a promotion settles itself, or what has a flag of its own here.
_LEFT_OUT = ("stage", "confidence", "injection", "scope", "examples.fires", "examples.quiet")
_PATTERNS = ("commandPatterns", "pathPatterns", "contentPatterns", "errorPatterns")
# What describes one mistake cannot be meant for several.
_OF_ONE = ("summary", "problem", "solution", "triggers", "blockReason")


def promote_options(function: Function) -> Function:
    for option in reversed(
        [
            lesson_options_but(*_LEFT_OUT),
            click.option("--scope", metavar="global|DIR", help="Everywhere, or only in this folder and below."),
            click.option("--shadow", is_flag=True, help="Try it first: log matches, show nothing."),
            click.option("--force", is_flag=True, help="Although the history speaks against it; that is recorded."),
            click.option("--yes", is_flag=True, help="Do not ask."),
            render.json_option,
        ]
    ):
        function = option(function)
    return function


def chosen(values: dict[str, object], several: bool) -> dict[str, object]:
    """The part of a lesson that the flags say; usage where they cannot be meant so."""
    given = document_from_options(values)
    if several and any(field in given for field in _OF_ONE):
        raise click.UsageError("Words and triggers are for one candidate: name just one, or leave the flags out.")
    if given.get("block") and given.get("stopOnce"):
        raise click.UsageError("Use --block or --stop-once, not both.")
    if "blockReason" in given and not given.get("block"):
        raise click.UsageError("--block-reason needs --block.")
    return given


def choice_of(candidate: "Candidate", given: dict[str, object], values: dict[str, object]) -> "Choice":
    """What is not given stays as the candidate proposes it."""
    import msgspec

    from lessons.model import Scope
    from lessons.promote.promotion.promotion import Choice

    wanted = values.get("scope")
    scope = {"type": "global"} if wanted == "global" else _folder(str(wanted)) if wanted else None
    triggers = given.get("triggers")
    fields = {
        "effect": "block" if given.get("block") else "stopOnce" if given.get("stopOnce") else "hint",
        "stage": "shadow" if values.get("shadow") else "active",
        "force": bool(values.get("force")),
        "block_reason": given.get("blockReason"),
        **{field: given.get(field) for field in ("summary", "problem", "solution", "priority", "tags")},
    }
    about = msgspec.structs.replace(msgspec.convert(fields, Choice), scope=scope and msgspec.convert(scope, Scope))
    if not isinstance(triggers, dict):
        return about
    merged = _merged(candidate.proposed_trigger or {}, triggers)
    return msgspec.structs.replace(about, triggers=merged, session_start=merged.session_start)


def _folder(text: str) -> dict[str, object]:
    return {"type": "project", "path": os.path.abspath(os.path.expanduser(text))}


def _merged(proposed: dict[str, object], given: dict[str, object]) -> "Triggers":
    """A pattern of one's own takes the place of every proposed one; the rest of the proposal stays with its pattern."""
    import msgspec

    from lessons.model import Triggers

    own = any(key in given for key in _PATTERNS) or given.get("sessionStart")
    kept = {} if own else proposed
    if own and "commandPatterns" in given and "commandPatterns" in proposed:
        kept = {key: value for key, value in proposed.items() if key in ("toolNames", "matchOn")}
    return msgspec.convert({**kept, **given}, Triggers)
