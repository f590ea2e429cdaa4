"""The file `passes.json`: which lessons are muted, which blocked calls may pass once, and until when."""

from lessons import paths
from lessons.store.json_text import decode
from lessons.system import system

Document = dict[str, dict[str, object]]


def read(home: str) -> Document:
    """Returns `{"mutes": {slug: until or null}, "passes": {slug: {"id": text, "until": seconds}}}`.

    Damaged parts are empty.
    """
    document = _whole(home)
    return {key: part for key, part in (document or {}).items() if isinstance(part, dict)}


def _whole(home: str) -> dict[str, object] | None:
    """Returns everything in the file; None if it is damaged."""
    try:
        file = system.open(paths.passes_file(home), system.O_RDONLY)
    except FileNotFoundError:
        return {}
    except OSError:
        return None
    try:
        value = decode(system.read(file, 1 << 20).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    finally:
        system.close(file)
    return value if isinstance(value, dict) else None


def is_muted(document: Document, slug: str, now: float) -> bool:
    """A mute without an end lasts until it is removed."""
    mutes = document.get("mutes", {})
    if slug not in mutes:
        return False
    until = mutes[slug]
    return until is None or (isinstance(until, int | float) and now < until)


def muted(home: str, now: float) -> dict[str, float | None]:
    """Returns until when each lesson is muted, by slug; None if the mute has no end."""
    document = read(home)
    mutes = document.get("mutes", {})
    ends = {slug: mutes[slug] for slug in sorted(mutes) if is_muted(document, slug, now)}
    return {slug: until if isinstance(until, int | float) else None for slug, until in ends.items()}


def valid_pass(document: Document, slug: str, now: float) -> str | None:
    """Returns the id of a pass that has not expired; the caller checks whether it was already used."""
    entry = document.get("passes", {}).get(slug)
    if not isinstance(entry, dict):
        return None
    until, identifier = entry.get("until"), entry.get("id")
    if isinstance(until, int | float) and now < until and isinstance(identifier, str):
        return identifier
    return None


def mute(home: str, slug: str, until: float | None) -> None:
    """Mutes a lesson; without an end until it is unmuted."""
    _change(home, "mutes", slug, [until])


def unmute(home: str, slug: str) -> None:
    _change(home, "mutes", slug, [])


def allow(home: str, slug: str, identifier: str, until: float) -> None:
    """Adds one pass for the next call that the lesson would block; a new one replaces an old one."""
    _change(home, "passes", slug, [{"id": identifier, "until": until}])


def _change(home: str, part: str, slug: str, value: list[object]) -> None:
    # Only verbs write: the hook must not import this at every tool call.
    import json
    import time

    from lessons.store import files
    from lessons.store.files import locked

    path = paths.passes_file(home)
    with locked(path):
        document = _whole(home)
        old = None if document is None else document.get(part, {})
        if document is None or not isinstance(old, dict):
            files.set_aside(path)
            document, old = {}, {}
        entries = {key: entry for key, entry in old.items() if not _is_over(entry, time.time())}
        entries.pop(slug, None)
        if value:
            entries[slug] = value[0]
        files.write_text(path, json.dumps({**document, part: entries}, indent=2) + "\n")


def _is_over(entry: object, now: float) -> bool:
    until = entry.get("until") if isinstance(entry, dict) else entry
    return isinstance(until, int | float) and until <= now
