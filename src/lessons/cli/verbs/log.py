"""`lessons log`: shows which lessons fired, when and why."""

from collections.abc import Mapping

import click

from lessons import paths
from lessons.cli import render
from lessons.cli.lesson_text import recall_in_words, why_in_words
from lessons.errors import LessonsError
from lessons.opportunity import LOGGED
from lessons.store import lesson_file
from lessons.store.history.hook_log import called, logged, with_delivery


@click.command("log", short_help="Show which lessons fired, when and why")
@click.option("--session", help="Only this session (id or its beginning).")
@click.option("--lesson", "slug", help="Only this lesson or memory (or its beginning).")
@click.option("--decision", type=click.Choice(LOGGED), help="Only these.")
@click.option("--last", "count", type=click.IntRange(min=1), help="Only the newest N.  [default: 50 on a terminal]")
@render.json_option
def command(session: str | None, slug: str | None, decision: str | None, count: int | None, as_json: bool) -> None:
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
    events = [
        event
        for event in logged(home)
        if str(event.get("session", "")).startswith(session or "")
        and str(event.get("slug") or event.get("memory") or "").startswith(slug or "")
        and decision in (None, event.get("decision"))
    ]
    if count is None and render.is_terminal() and not as_json:
        count = 50
    events = _in_words(home, with_delivery(home, events[-count:] if count else events))
    rows = [_row(event) for event in events]
    columns = ("time", "decision", "lesson", "tool", "command", "reason", "folder", "session")
    empty = "Nothing has fired yet. `lessons doctor` checks that the hook runs."
    if session or slug or decision:
        empty = "The log has no such event. `lessons log` shows all of them."
    render.emit(as_json, {"events": events}, lambda: render.table(columns, rows, empty, below=5))


def _in_words(home: str, events: list[dict[str, object]]) -> list[dict[str, object]]:
    """Adds to every event its command, if a scan has read it, and the reason in words."""
    failed = {id(event): _first(event.get("toolUseIds")) for event in events}  # the failure that a recall quotes
    commands = called(home, (*(event.get("toolUseId") for event in events), *failed.values()))
    triggers = _triggers(home, {str(event.get("slug")) for event in events})
    return [
        {
            **event,
            "command": commands.get(str(event.get("toolUseId"))),
            "reason": recall_in_words(str(event.get("why", "")), commands.get(failed[id(event)], ""))
            if event.get("source") == "memory"
            else why_in_words(str(event.get("why", "")), triggers.get(str(event.get("slug")), {})),
        }
        for event in events
    ]


def _first(names: object) -> str:
    return str(names[0]) if isinstance(names, list) and names else ""


def _triggers(home: str, slugs: set[str]) -> dict[str, Mapping[str, object]]:
    """Returns the present triggers of these lessons; with a damaged file, only their words are missing."""
    try:
        everything = lesson_file.read(home).records if slugs else []
        records = [each for each in everything if isinstance(each, dict) and each.get("slug") in slugs]
    except LessonsError:
        return {}
    found = ((record.get("slug"), record.get("triggers")) for record in records if isinstance(record, dict))
    return {str(slug): triggers for slug, triggers in found if isinstance(triggers, dict)}


def _row(event: dict[str, object]) -> tuple[str, ...]:
    moment = str(event.get("time", ""))[:19].replace("T", " ")
    session = str(event.get("session", ""))[:8]
    agent = f"/{str(event['agentId'])[:6]}" if event.get("agentId") else ""
    decision = f"{event.get('decision', '')}{', not delivered' if event.get('delivered') is False else ''}"
    name = str(event.get("slug") or event.get("memory") or "")
    middle = (str(event.get(key) or "") for key in ("tool", "command", "reason", "cwd"))
    return (moment, decision, name, *middle, session + agent)
