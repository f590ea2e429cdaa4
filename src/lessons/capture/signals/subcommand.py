"""A pair in, whether another sub-command or script of the same program did it out."""

from difflib import SequenceMatcher

from lessons.capture.signals.difference import blocks, is_named, shown
from lessons.capture.signals.pair import Pair
from lessons.episode import Change

_MOST = 2
_ALIKE = 0.5
_COMPARED = 80  # characters of a name


def change(pair: Pair) -> Change | None:
    """`npm run typecheck` → `npm run type-check`, where the error says that there is no such thing."""
    before, after = pair.before, pair.after
    if pair.kind != "wrong-command" or before.program != after.program or len(before.words) == 1:
        return None
    if pair.folder != pair.fixed_folder or before.folders != after.folders:
        return None  # it may be there in the other folder
    found = blocks(before.words, after.words)
    if len(found) != 1 or len(found[0].gone) != 1 or not 0 < len(found[0].came) <= _MOST:
        return None
    gone, came = found[0].gone[0], found[0].came
    if not is_named(gone, pair.said) or gone.startswith("-"):
        return None
    alike = SequenceMatcher(None, gone[:_COMPARED], " ".join(came)[:_COMPARED]).ratio() >= _ALIKE
    return Change("wrong-command", gone, shown(came)) if alike or is_named(came[0], pair.error) else None
