"""The file `person-lines.json`: lines that the user may be shown when a session starts, by name, each until when.

A scan writes it; the hook only reads it, and shows at most one line.
"""

from lessons import paths
from lessons.store.json_text import decode
from lessons.system import system

_LARGEST_FILE = 1 << 16


class PersonLine:
    """A text without words of a transcript, and the moment when it expires."""

    __slots__ = ("text", "until")

    def __init__(self, text: str, until: float) -> None:
        self.text = text
        self.until = until


def read(home: str) -> dict[str, PersonLine]:
    """Returns every usable line by its name; none from a missing or damaged file."""
    try:
        file = system.open(paths.person_lines_file(home), system.O_RDONLY)
    except OSError:
        return {}
    try:
        document = decode(system.read(file, _LARGEST_FILE).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    finally:
        system.close(file)
    found = {}
    for name, entry in document.items() if isinstance(document, dict) else ():
        text, until = (entry.get("text"), entry.get("until")) if isinstance(entry, dict) else (None, None)
        if isinstance(text, str) and text and isinstance(until, int | float):
            found[name] = PersonLine(text, until)
    return found


def put(home: str, name: str, text: str, until: float) -> None:
    """Replaces the line of this name; an empty text removes it."""
    # Only verbs write: the hook must not import this.
    import json

    from lessons.store import atomic
    from lessons.store.lock import locked

    path = paths.person_lines_file(home)
    with locked(path):
        lines = read(home)
        if not text and name not in lines:
            return
        lines.pop(name, None)
        if text:
            lines[name] = PersonLine(text, until)
        document = {key: {"text": line.text, "until": line.until} for key, line in sorted(lines.items())}
        atomic.write_text(path, json.dumps(document, indent=2) + "\n")
