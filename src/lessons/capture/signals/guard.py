"""Whether the call that worked only bypasses a check or destroys something: then the real fix is unknown."""

from lessons.capture.signals.pair import Pair
from lessons.episode import Change
from lessons.shell.bypass import bypasses_check, sets_check_off

_LONGEST_LINE = 4096


def is_bypass(change: Change, pair: Pair) -> bool:
    """Counts only options that the failed call did not have."""
    before = pair.before.words
    if bypasses_check(pair.after.words, before) or bypasses_check(change.after.split(), before):
        return True
    return sets_check_off(f"{pair.fix.command[:_LONGEST_LINE]}\n{change.after}", pair.failure.command[:_LONGEST_LINE])
