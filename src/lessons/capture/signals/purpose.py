"""Whether the call that worked was for something else: it read where the failed one had to write."""

from lessons.capture.signals.pair import Command, Pair
from lessons.shell.http_call import http_call
from lessons.shell.line import Part
from lessons.shell.looks import looks


def is_another_purpose(pair: Pair) -> bool:
    """Compares the two commands; the same path with another method is the same purpose."""
    before, after = pair.before, pair.after
    if not before.words or not after.words or before.program != after.program or before.words == after.words:
        return False
    one, other = http_call(before.words), http_call(after.words)
    if one and other:
        return one.sends != other.sends and one.path != other.path
    # A word that is no command tells no purpose: `lst` is `list`.
    return pair.kind != "wrong-command" and not _looks(before) and _looks(after)


def _looks(command: Command) -> bool:
    return looks(Part(list(command.words), [], ""))
