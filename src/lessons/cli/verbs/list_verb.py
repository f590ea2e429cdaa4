"""`lessons list`: lists the lessons with a status."""

import os
import time
from collections.abc import Collection, Sequence

import click
import msgspec

from lessons import config, paths
from lessons.candidate import REJECTED
from lessons.cli import render
from lessons.promote.catalog import describe, listed
from lessons.store import passes

STATUSES = ("candidate", "shadow", "active", "retired", "rejected", "archived", "all")
_STAGES = {"shadow": ("shadow",), "active": ("active",), "retired": ("retired",)}


@click.command("list", short_help="List the lessons")
@click.option("--status", type=click.Choice(STATUSES), help="Only this status.  [default: shadow and active]")
@render.json_option
def command(status: str | None, as_json: bool) -> None:
    """List the lessons.

    Marks muted lessons and lessons of trusted projects. `candidate` and `rejected` (in JSON: archived) list
    what was found in transcripts and is pending or was rejected in a review.
    """
    if status == "candidate":
        _candidates(as_json)
        return
    if status in ("rejected", REJECTED):
        _rejected(as_json)
        return
    stages = ("shadow", "active") if status is None else _STAGES.get(status, ("shadow", "active", "retired"))
    found = listed(paths.data_home(), stages)
    render.emit(as_json, {"lessons": found.records}, lambda: _print(found.records, status))
    render.warn(found.warnings)


def _print(records: Sequence[dict[str, object]], status: str | None) -> None:
    muted = passes.muted(paths.data_home(), time.time())
    rows = [
        (record["slug"], _state(record, muted), describe(record), record.get("priority", 5), record["summary"])
        for record in records
    ]
    empty = f"No lesson with status {status}."
    if status in (None, "all"):
        empty = "No lessons yet. Run `lessons add --starter` for some, or `lessons add` to write one."
    render.table(("slug", "stage", "effect", "priority", "summary"), rows, empty)


def _candidates(as_json: bool) -> None:
    """Every candidate in the queue; `lessons candidates` shows more of each."""
    from lessons.promote.queue import documents, outlined, remember
    from lessons.store.history.history import History

    home, found = paths.data_home(), []
    if os.path.exists(paths.history_file(home)):
        with History.for_reading(home) as history:
            settings = config.load(home)
            # The table shows neither triggers nor evidence.
            found = (
                documents(history, settings, everything=True)
                if as_json
                else [each.candidate for each in outlined(history, settings)]
            )
        remember(home, found)
    rows = [(each.index, each.kind, each.occurrence_count, each.priority, each.summary) for each in found]
    empty = "No candidates. Run `lessons scan` to look for some in your transcripts."
    columns = ("index", "kind", "times", "priority", "summary")
    render.emit(as_json, {"lessons": msgspec.to_builtins(found)}, lambda: render.table(columns, rows, empty))


def _rejected(as_json: bool) -> None:
    """Every candidate that was rejected, with the reason."""
    from lessons.promote.queue import rejected
    from lessons.store.decisions import read, standing
    from lessons.store.history.history import History

    home, found = paths.data_home(), []
    if os.path.exists(paths.history_file(home)):
        with History.for_reading(home) as history:
            found = rejected(history, config.load(home))
    reasons = {each.fingerprint: each.reason for each in standing(read(home))}
    rows = [(each.fingerprint, each.kind, reasons.get(each.fingerprint, ""), each.summary) for each in found]
    columns = ("candidate", "kind", "reason", "summary")
    document = {"lessons": msgspec.to_builtins(found)}
    render.emit(as_json, document, lambda: render.table(columns, rows, "No candidate was rejected."))


def _state(record: dict[str, object], muted: Collection[str]) -> str:
    words = [str(record.get("stage", "active"))]
    if "trustedFrom" in record:
        words.append("project's")
    elif record.get("needsReview") is True:
        words.append("needs review")
    if record["slug"] in muted:
        words.append("muted")  # until when, `show` and `mute --list` tell: a row has no room for it
    return ", ".join(words)
