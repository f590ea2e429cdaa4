"""A pair in, whether only what stands around the command was dropped, added or changed out."""

from lessons.capture.command_line import LONGEST_LINE
from lessons.capture.signals.pair import Pair, Words
from lessons.episode import Change
from lessons.match.shell import invocations


def change(pair: Pair) -> Change | None:
    """`rtk npm test` → `npm test`, `pytest` → `uv run pytest`: the command itself is the same."""
    before, after = pair.words()
    if not before or before != after:
        return None
    one, other = _around(pair.failure.command, before), _around(pair.fix.command, after)
    return Change("wrong-command", one, other) if one != other else None


def _around(command: str, core: Words) -> str:
    """What stands before the command where it is run."""
    written = [texts[0] for texts in invocations(command[:LONGEST_LINE])]
    # Redirections stand in the line as it is written: the first words are enough to find the place.
    for start in (" ".join(core), " ".join(core[:2])):
        for text in written:
            place = text.find(start)
            if place == 0 or (place > 0 and text[place - 1] == " "):
                return text[:place].strip()
    return ""
