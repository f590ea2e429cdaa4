"""A pair in, whether a command of the line was dropped, exchanged, or put before the others out."""

from lessons.capture.signals.pair import Pair
from lessons.episode import Change


def change(pair: Pair) -> Change | None:
    """`rm x.lock && git pull` → `git pull`, `git stash pop` → `git checkout a && git stash pop`."""
    before, after = pair.failed.commands, pair.fixed.commands
    if before == after or not before or not after:
        return None
    gone = [words for words in before if words not in after]
    came = [words for words in after if words not in before]
    if len(gone) == 1 and len(came) == 1 and len(before) > 1 and gone[0][0] != came[0][0]:
        return Change("wrong-command", " ".join(gone[0]), " ".join(came[0]))  # one command of a pipe
    if came and not gone and before[0] == after[len(came)]:
        return Change("order-of-steps", "", " ".join(came[0]))
    if gone and not came and len(after) < len(before) and before[0] in gone:
        return Change("wrong-command", " ".join(gone[0]), "")
    return None
