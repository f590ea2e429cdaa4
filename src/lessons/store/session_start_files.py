"""Small files that the hook reads when a session starts; a scan or a check in the background prepares them.

`person-lines.json` has lines for the user by name, each with its expiry; at most one is shown. The file `briefing` of a
project has one line about its alerts: the hook takes it by renaming it, so that exactly one session shows it, and the
next check of the alerts counts what was shown. Its second line has the ids of the alerts. `reviews-looked` of a project
was touched when a session start last checked the review log."""

import time

from lessons import paths
from lessons.store.claims import exists, modified_at, read, remove, write
from lessons.store.state_paths import fields_of
from lessons.system import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.store.state_paths import StatePaths


class PersonLine:
    """A text without words of a transcript, and the moment when it expires."""

    __slots__ = ("text", "until")

    def __init__(self, text: str, until: float) -> None:
        self.text = text
        self.until = until


def read_person_lines(home: str) -> dict[str, PersonLine]:
    """Returns every usable line by its name; none from a missing or damaged file."""
    found = {}
    for name, entry in fields_of(paths.person_lines_file(home)).items():
        text, until = (entry.get("text"), entry.get("until")) if isinstance(entry, dict) else (None, None)
        if isinstance(text, str) and text and isinstance(until, int | float):
            found[name] = PersonLine(text, until)
    return found


def put_person_line(home: str, name: str, text: str, until: float) -> None:
    """Replaces the line of this name; an empty text removes it."""
    # Only verbs write: the hook must not import this.
    import json

    from lessons.store import files
    from lessons.store.files import locked

    path = paths.person_lines_file(home)
    with locked(path):
        lines = read_person_lines(home)
        if not text and name not in lines:
            return
        lines.pop(name, None)
        if text:
            lines[name] = PersonLine(text, until)
        document = {key: {"text": line.text, "until": line.until} for key, line in sorted(lines.items())}
        files.write_text(path, json.dumps(document, indent=2) + "\n")


_BRIEFING, _BRIEFING_SHOWN = "/briefing", "/briefing-shown"
_LARGEST_BRIEFING = 4096
_OLD_SECONDS = 7 * 24 * 3600


def take_briefing(own: str) -> str:
    """Returns the line to exactly one caller; empty if there is none, or it is too old."""
    path = own + _BRIEFING
    try:
        if not -60 < time.time() - system.stat(path).st_mtime < _OLD_SECONDS:
            return ""
        system.replace(path, own + _BRIEFING_SHOWN)
    except (OSError, ValueError):
        return ""
    return _briefing_in(own + _BRIEFING_SHOWN).partition("\n")[0]


def take_shown_alerts(own: str) -> list[str]:
    """Returns the ids of the alerts shown since the last call."""
    names = _briefing_in(own + _BRIEFING_SHOWN).partition("\n")[2].split()
    remove(own + _BRIEFING_SHOWN)
    return names


def write_briefing(own: str, text: str, names: list[str]) -> None:
    """Replaces the line; an empty text removes it.

    If a line was shown since `take_shown`, this one was prepared without counting it: the next check prepares another.
    """
    from lessons.store import files

    if text and not exists(own + _BRIEFING_SHOWN):
        files.write_bytes(own + _BRIEFING, f"{text}\n{' '.join(names)}\n".encode("utf-8", "replace"), 0o600)
    else:
        remove(own + _BRIEFING)


def _briefing_in(path: str) -> str:
    return (read(path, _LARGEST_BRIEFING) or b"").decode("utf-8", "replace")


_LOG, _MARK = "/reviews.jsonl", "/reviews-looked"


def reviews_are_due(place: "StatePaths") -> bool:
    """Whether the log has changed since; False if there is none."""
    changed = modified_at(place.state + _LOG)
    return changed > 0 and changed >= modified_at(place.own + _MARK)


def touch_reviews(place: "StatePaths") -> None:
    """Never raises: if it cannot be recorded, the log is checked once more."""
    write(place.own + _MARK, b"\n", system.O_TRUNC)
