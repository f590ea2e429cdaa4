"""`lessons list`, `lessons show` and `lessons log`: which lessons there are, what one says, and what fired."""

import os
import re
import time
from collections import Counter
from collections.abc import Mapping

import click
import msgspec

from lessons import config, paths
from lessons.candidate import REJECTED, WAITING
from lessons.cli import render
from lessons.cli.options import record_of, slug_argument
from lessons.doctor.checks import lessons_without_room
from lessons.errors import LessonsError
from lessons.lesson_fields import FIELDS, FIRING, LessonField, value_of
from lessons.model import Lesson, lesson_from_document
from lessons.opportunity import LOGGED
from lessons.promote.catalog import describe, listed
from lessons.promote.queue import rejected, remember, shown, whole
from lessons.prove.tend import agents_feedback_on
from lessons.store import decisions, lesson_file, passes
from lessons.store.history.history import History
from lessons.store.history.hook_log import called, logged, with_delivery

_STAGES = {
    None: ("shadow", "active"),
    "shadow": ("shadow",),
    "active": ("active",),
    "retired": ("retired",),
    "all": ("shadow", "active", "retired"),
}
_STATUSES = ("candidate", "shadow", "active", "retired", "rejected", REJECTED, "all")


@click.command("list", short_help="List the lessons")
@click.option("--status", type=click.Choice(_STATUSES), help="Only this status.  [default: shadow and active]")
@render.json_option
def list_all(status: str | None) -> None:
    """List the lessons.

    Marks muted lessons and lessons of trusted projects. `candidate` and `rejected` (or archived) list what was found
    in transcripts and is pending or was rejected in a review.
    """
    home = paths.data_home()
    if status is not None and status not in _STAGES:
        _list_candidates(home, status)
        return
    found = listed(home, _STAGES[status])
    muted = passes.muted(home, time.time())

    def state(record: dict[str, object]) -> str:
        words = [str(record.get("stage", "active"))]
        if "trustedFrom" in record:
            words.append("project's")
        elif record.get("needsReview") is True:
            words.append("needs review")
        if record["slug"] in muted:
            words.append("muted")  # until when, `show` and `mute --list` say: a row has no room for it
        return ", ".join(words)

    rows = [
        (each["slug"], state(each), describe(each), each.get("priority", 5), each["summary"]) for each in found.records
    ]
    empty = f"No lesson with status {status}."
    if status in (None, "all"):
        empty = "No lessons yet. Run `lessons add --starter` for some, or `lessons add` to write one."
    columns = ("slug", "stage", "effect", "priority", "summary")
    render.emit({"lessons": found.records}, lambda: render.table(columns, rows, empty))
    render.warn(found.warnings)
    if without_room := lessons_without_room(home):
        render.note(without_room)


def _list_candidates(home: str, status: str) -> None:
    """Lists every candidate in the queue, or every one that was rejected, with the reason."""
    found, is_rejected = [], status != WAITING
    if os.path.exists(paths.history_file(home)):
        settings = config.load(home)
        with History.for_reading(home) as history:
            if is_rejected:
                found = rejected(history, settings)
                for each in found:
                    each.status = status  # "archived" is the name in tables, and as asked
            elif render.is_json():
                found = shown(history, settings, everything=True).candidates
            else:  # the table shows no triggers
                found = whole(history, settings)
    if is_rejected:
        reasons = {each.fingerprint: each.reason for each in decisions.standing(decisions.read(home))}
        columns: tuple[str, ...] = ("candidate", "kind", "reason", "summary")
        rows: list[tuple[object, ...]] = [
            (each.fingerprint, each.kind, reasons.get(each.fingerprint, ""), each.summary) for each in found
        ]
        empty = "No candidate was rejected."
    else:
        remember(home, found)
        columns = ("index", "kind", "times", "priority", "summary")
        rows = [(each.index, each.kind, each.occurrence_count, each.priority, each.summary) for each in found]
        empty = "No candidates. Run `lessons scan` to look for some in your transcripts."
    document = {"lessons": msgspec.to_builtins(found)}
    render.emit(document, lambda: render.table(columns, rows, empty))


@click.command("show", short_help="Show one lesson: text, trigger and what it did")
@slug_argument
@render.json_option
def show(slug: str) -> None:
    """Show one lesson: text, trigger and what it did. SLUG may be the beginning of a slug, or an id.

    Hints that never reached the model, because you rejected the call, are not counted (see `lessons log`).
    """
    home = paths.data_home()
    record = record_of(home, slug)
    lesson = lesson_from_document(record)
    events = with_delivery(home, [event for event in logged(home) if event.get("slug") == lesson.slug])
    fired = Counter(str(event.get("decision")) for event in events if event.get("delivered") is not False)
    mutes = passes.muted(home, time.time())
    muted = lesson.slug in mutes
    steps = [each for each in decisions.read(home) if each.step and each.lesson == lesson.id]
    feedback = agents_feedback_on(home, lesson.slug)
    document = {
        **record,
        "muted": {"until": mutes[lesson.slug]} if muted else None,
        "fired": dict(fired),
        "agentsFeedback": dict(feedback),
        "history": [
            {"time": each.time, "decision": each.action, "step": each.step, "reason": each.reason} for each in steps
        ],
    }
    until = mutes.get(lesson.slug)
    pairs: list[tuple[str, object]] = [
        ("slug", lesson.slug),
        ("effect", describe(record)),
        ("muted", muted and ("until unmuted" if until is None else render.until(until))),
        *((field.label, _shown(lesson, field)) for field in FIELDS if field.label),
        ("written by", lesson.written_by),
        ("edit it in", record.get("trustedFrom")),
        ("fired", _counted(fired) or "never"),
        ("agents say", _counted(feedback)),
    ]
    lines = [f"{each.time[:10]} {each.step} ({each.action}) {each.reason}".rstrip() for each in steps]
    pairs.append(("history", "\n".join(lines)))
    present = [(name, value) for name, value in pairs if value not in (None, "", False)]
    render.emit(document, lambda: render.fields(present))


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count} × {what}" for what, count in sorted(counts.items()))


def _shown(lesson: Lesson, field: LessonField) -> object:
    if field.kind == "machine":
        return "this machine" if lesson.scope.type == "machine" else None
    if field.place == "scope":
        return lesson.scope.path
    if field.place == "confidence":
        return f"{lesson.confidence:g}{', needs review' if lesson.needs_review else ''}"
    value = value_of(lesson, field)
    if isinstance(value, list):
        return (", " if field.kind == "texts" else "\n").join(map(str, value))
    return value


@click.command("log", short_help="Show which lessons fired, when and why")
@click.option("--session", help="Only this session (id or its beginning).")
@click.option("--lesson", "slug", help="Only this lesson or memory (or its beginning).")
@click.option("--decision", type=click.Choice(LOGGED), help="Only these.")
@click.option("--last", "count", type=click.IntRange(min=1), help="Only the newest N.  [default: 50 on a terminal]")
@render.json_option
def log(session: str | None, slug: str | None, decision: str | None, count: int | None) -> None:
    """Show which lessons fired, when and why, oldest first.

    The hook does not log commands, as they may contain secrets. They are taken from the history, without secrets:
    run `lessons scan` to see those of the latest calls. `toolUseId` finds a call in the transcript.

    What memory said is listed too ("source": "memory"), with the earlier failures it rests on (`toolUseIds`, the
    quoted one first). `lessons mute --memory NAME` silences one, `lessons add --from-memory NAME` makes it a lesson.

    "asked" is a question to the agent after a recovery, about the failed call and its fix (`toolUseIds`).

    A hint is lost if you reject the call or stop it while it runs: the model never sees it, and it is shown
    again at the next such call. `delivered` says whether the model was sent the hint, according to the
    transcripts that `lessons scan` has read: true, false ("hint, not delivered"), or null if unknown.
    """
    home = paths.data_home()
    if count is None and render.is_terminal():
        count = 50
    is_filtered = bool(session or slug or decision)
    events = [
        event
        for event in logged(home, None if is_filtered else count)
        if str(event.get("session", "")).startswith(session or "")
        and _name_of(event).startswith(slug or "")
        and decision in (None, event.get("decision"))
    ]
    events = _in_words(home, with_delivery(home, events[-count:] if count else events))
    columns = ("time", "decision", "lesson", "tool", "command", "reason", "folder", "session")
    empty = "Nothing has fired yet. `lessons doctor` checks that the hook runs."
    if is_filtered:
        empty = "The log has no such event. `lessons log` shows all of them."
    rows = [_row(event) for event in events]
    render.emit({"events": events}, lambda: render.table(columns, rows, empty, below=5))


def _name_of(event: dict[str, object]) -> str:
    return str(event.get("slug") or event.get("memory") or "")


def _in_words(home: str, events: list[dict[str, object]]) -> list[dict[str, object]]:
    """Adds to every event its command, if a scan has read it, and the reason in words."""

    def quoted(event: dict[str, object]) -> str:
        """Returns the failed call that a recall quotes."""
        names = event.get("toolUseIds")
        return str(names[0]) if isinstance(names, list) and names else ""

    commands = called(home, (name for event in events for name in (event.get("toolUseId"), quoted(event))))
    try:
        records = [each for each in lesson_file.read(home).records if isinstance(each, dict)] if events else []
    except LessonsError:  # with a damaged file only the words of the triggers are missing
        records = []
    stored = {each.get("slug"): each.get("triggers") for each in records}
    found = []
    for event in events:
        why, triggers = str(event.get("why", "")), stored.get(str(event.get("slug")))
        if event.get("source") == "memory":
            reason = _recall_in_words(why, commands.get(quoted(event), ""))
        else:
            reason = why_in_words(why, triggers if isinstance(triggers, dict) else {})
        found.append({**event, "command": commands.get(str(event.get("toolUseId"))), "reason": reason})
    return found


def _row(event: dict[str, object]) -> tuple[str, ...]:
    moment = str(event.get("time", ""))[:19].replace("T", " ")
    session = str(event.get("session", ""))[:8]
    agent = f"/{str(event['agentId'])[:6]}" if event.get("agentId") else ""
    decision = f"{event.get('decision', '')}{', not delivered' if event.get('delivered') is False else ''}"
    middle = (str(event.get(key) or "") for key in ("tool", "command", "reason", "cwd"))
    return (moment, decision, _name_of(event), *middle, session + agent)


_LONGEST_CALL = 80
_PATTERN = re.compile(r"(\w+)\[(\d+)\]")
_OTHER_REASONS = {
    "toolNames": "any use of the tool",
    "sessionStart": "a session started",
    "recovery": "a failed call was followed by one that worked",
}


def _recall_in_words(why: str, failed: str) -> str:
    """Says why memory spoke: what the call, or its error, has in common with an earlier failed call."""
    if why == "path":
        return "a path is missing here and exists in a folder above"
    like = f"like `{' '.join(failed.split())[:_LONGEST_CALL]}`" if failed else "like an earlier one"
    return f"the error is {like}" if why == "error" else f"{like}: {feature_in_words(why)}"


def feature_in_words(feature: str) -> str:
    """Returns `git log --stat` (option) for `option:git log --stat`."""
    family, _, text = feature.partition(":")
    return f"`{text}` ({family})" if text else feature


def why_in_words(why: str, triggers: Mapping[str, object]) -> str:
    """Takes the present triggers of the lesson; if it was changed since, the pattern may be missing."""
    found = _PATTERN.fullmatch(why)
    if not found:
        return _OTHER_REASONS.get(why, why)
    name, number = found[1], int(found[2])
    patterns = triggers.get(name)
    subject = next((field.looks_at for field in FIRING if field.name == name), name)
    if isinstance(patterns, list) and number < len(patterns):
        return f"{subject} matches `{patterns[number]}`"
    return f"{subject} matched a pattern that no longer exists"
