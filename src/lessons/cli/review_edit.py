"""The questions of a review: the edit menu, the reason to reject a case, the lesson to merge it into."""

import os
import shutil
from collections.abc import Callable

import click
import msgspec

from lessons.cli import render
from lessons.cli.excerpts import cut
from lessons.cli.terminal import edit_line, in_editor, read_key
from lessons.errors import Refused
from lessons.lesson_fields import FIRING, WORDS, LessonField, attribute_of, has_any
from lessons.model import Scope, Triggers, lesson_from_document
from lessons.promote.draft import Choice
from lessons.promote.review_case import Case, alone, most_similar, with_patterns
from lessons.promote.trigger_rules import trigger_problems
from lessons.store import lesson_file

_USUAL_REASON = "not worth a lesson"
_MOST_OFFERED = 5


def ask_reason() -> str | None:
    """Returns None if the user cancels."""
    answer = edit_line(f"reason (Enter: {_USUAL_REASON}; ^C cancels)")
    return answer if answer is None else answer or _USUAL_REASON


def ask_lesson(home: str, case: Case, answered_by: str = "") -> str | None:
    """Returns the slug of a lesson: chosen by its number among the most similar ones, or typed.

    The lesson that already answers the case comes first, and Enter chooses it.
    """
    lessons = [lesson for lesson in lesson_file.read(home).lessons() if lesson.stage != "retired"]
    if not lessons:
        raise Refused("No lesson to merge it into yet: promote one first.")
    similar = sorted(most_similar(case, lessons), key=lambda lesson: lesson.slug != answered_by)
    offered = similar[:_MOST_OFFERED]
    present = answered_by if offered[0].slug == answered_by else ""
    width = shutil.get_terminal_size().columns - 1
    click.echo()
    for number, lesson in enumerate(offered, start=1):
        click.echo(cut(f"  {number}  {render.printable(lesson.summary)}", width).plain)
    usual = "Enter for 1, " if present else ""
    answer = edit_line(f"merge into (a number or a slug, {usual}^C cancels)", "")
    if answer == "":
        return present or None
    if answer is None:
        return None
    if answer.isdecimal() and 1 <= int(answer) <= len(offered):
        return offered[int(answer) - 1].slug
    return str(lesson_file.read(home).find(answer)["slug"])


_TEXTS = {field.edit_key: field for field in WORDS if field.edit_key}
# The user chooses by a key what a pattern looks at. Read from the pattern itself, a wrong word would make a lesson that
# never fires.
_KINDS: dict[str, LessonField] = {"t" if field.looks_at == "content" else field.looks_at[0]: field for field in FIRING}
_MENU = "  ".join(
    [
        "edit: [t]rigger",
        "[u]nless",
        *(field.name.replace(key, f"[{key}]", 1) for key, field in _TEXTS.items()),
        "s[c]ope",
        "> ",
    ]
)
_EVERYWHERE = "everywhere"

# Takes a trigger and a scope; returns why such a lesson would never fire on the calls it was learned from, or empty.
Check = Callable[[Triggers, Scope], str]
# Returns the trigger and the scope that a typed line describes.
Made = Callable[[str], tuple[Triggers, Scope]]


def edit(case: Case, suggested: Triggers | None, check: Check) -> Choice:
    """Returns the edited choice; `suggested` is a trigger for a case that has none."""
    key = _chosen(_MENU)
    if key in _TEXTS:
        field = _TEXTS[key].name
        present = " ".join(case.text(field).split())
        answer = edit_line(field, present)
        return case.choice if not answer or answer == present else case.choice.with_text(field, answer)
    if key == "t":
        return _triggers(case, suggested, check)
    if key == "u":
        return _unless(case, check)
    return _scope(case, check) if key == "c" else case.choice


_WHOLE = ("summary", "problem", "solution", "blockReason", "triggers", "scope", "priority", "tags")


def edit_whole(case: Case, document: dict[str, object]) -> Choice:
    """Opens the lesson in the editor; the back-test and the checks of the next screen are about what was saved."""

    def chosen(after: dict[str, object]) -> Choice:
        if unknown := sorted(after.keys() - set(_WHOLE)):
            raise Refused(f"{', '.join(unknown)} cannot be changed here, only {', '.join(_WHOLE)}.")
        lesson = lesson_from_document({"id": "", "slug": "", **after})
        if problems := "\n".join(trigger_problems(lesson.triggers)):
            raise Refused(problems)
        changed = {
            attribute_of(name): getattr(lesson, attribute_of(name))
            for name in _WHOLE
            if name in after and after[name] != document.get(name)
        }
        return msgspec.structs.replace(case.choice, **changed)

    return in_editor({name: document[name] for name in _WHOLE if name in document}, chosen) or case.choice


def _chosen(menu: str) -> str:
    click.secho(f"\n{menu}", bold=True, nl=False)
    key = read_key()
    click.echo(render.printable(key))
    return key


def _triggers(case: Case, suggested: Triggers | None, check: Check) -> Choice:
    """Asks what the trigger looks at, then for every pattern of that kind in turn; an empty line removes one."""
    present = case.triggers or Triggers()
    counts = {key: len(getattr(present, field.attribute)) for key, field in _KINDS.items()}
    names = [
        field.looks_at.replace(key, f"[{key}]", 1) + (f" ({counts[key]})" if counts[key] else "")
        for key, field in _KINDS.items()
    ]
    key = _chosen("  ".join(["trigger on:", *names, "[s]ession start", "> "]))
    if key == "s":
        return msgspec.structs.replace(case.choice, triggers=Triggers(session_start=True))
    if key not in _KINDS:
        return case.choice
    field = _KINDS[key]
    patterns = getattr(present, field.attribute) or (getattr(suggested, field.attribute) if suggested else []) or [""]

    def made(text: str) -> tuple[Triggers, Scope]:
        return alone(present, field, text), case.scope

    answers = [_line(f"{field.looks_at} pattern", pattern, made, check) for pattern in patterns]
    if None in answers:
        return case.choice
    changed = with_patterns(present, field, [answer for answer in answers if answer])
    if not has_any(changed, FIRING):
        raise Refused("Without a pattern it cannot fire: nothing was changed. Press e, t, s for a session-start note.")
    return msgspec.structs.replace(case.choice, triggers=changed)


def _unless(case: Case, check: Check) -> Choice:
    if case.triggers is None:
        raise Refused("It has no trigger, so there is nothing to except. Press e, then t to add one.")
    triggers = case.triggers

    def made(text: str) -> tuple[Triggers, Scope]:
        return msgspec.structs.replace(triggers, unless=[*triggers.unless, text]), case.scope

    answers = [_line("unless", pattern, made, check) for pattern in triggers.unless]
    if None in answers:
        return case.choice
    answers.append(_line("unless (one more, or Enter)" if answers else "unless", "", made, check))
    unless = [answer for answer in answers if answer]
    return msgspec.structs.replace(case.choice, triggers=msgspec.structs.replace(triggers, unless=unless))


def _scope(case: Case, check: Check) -> Choice:
    present = case.scope.path or ("machine" if case.scope.type == "machine" else _EVERYWHERE)

    def made(text: str) -> tuple[Triggers, Scope]:
        triggers = case.triggers or Triggers(session_start=True)
        if text in (_EVERYWHERE, "global"):
            return triggers, Scope(type="global")
        if text == "machine":
            return triggers, Scope(type="machine")
        return triggers, Scope(type="project", path=os.path.abspath(os.path.expanduser(text)))

    answer = _line(f"scope (a folder, machine, or {_EVERYWHERE})", present, made, check)
    return msgspec.structs.replace(case.choice, scope=made(answer)[1]) if answer else case.choice


def _line(question: str, present: str, made: Made, check: Check) -> str | None:
    """Asks until the line can be used. Returns an empty line as is, None if cancelled.

    A line that fires on none of the calls the lesson was learned from is used only if entered again.
    """
    warned = ""
    while answer := edit_line(question, present):
        triggers, scope = made(answer)
        problems = "\n".join(trigger_problems(triggers))
        if not problems and (answer == warned or not (warning := check(triggers, scope))):
            return answer
        click.secho(render.printable(problems or warning), fg="red")
        if not problems:
            click.echo("Change it, or press Enter to keep it anyway.")
            warned = answer
        present = answer
    return answer
