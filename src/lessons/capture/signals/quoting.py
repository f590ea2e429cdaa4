"""A pair in, whether the same characters were only quoted or escaped otherwise out."""

from lessons.capture.signals.pair import Pair
from lessons.episode import Change


def change(pair: Pair) -> Change | None:
    if pair.failed.signs != pair.fixed.signs or pair.failure.command == pair.fix.command:
        return None
    before, after = pair.failure.command.split(), pair.fix.command.split()
    gone = next((word for word in before if word not in after), "")
    came = next((word for word in after if word not in before), "")
    return Change("quoting", gone, came) if gone or came else None
