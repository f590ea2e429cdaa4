"""The calls of a mistake in, the names inside of their texts that only the failing ones have out."""

import re
from collections import Counter

from lessons.promote.propose.judge import Case, text_of
from lessons.promote.propose.words import is_named

_TOKEN = re.compile(r"(?<![\w$/.-])[A-Za-z_][A-Za-z_]{2,30}(?![\w/.-])")
_LONGEST_TEXT = 4096
_MOST = 6
_ENOUGH_TO_TELL = 3  # in fewer failures than this a shared word is likely to be chance


def telling_tokens(case: Case) -> list[str]:
    """Those that the errors name first; without that, only what many failures share."""
    if case.distinct == 1:
        return []
    counts: Counter[str] = Counter()
    for call in case.failures:
        counts.update(list(dict.fromkeys(_TOKEN.findall(text_of(call)[:_LONGEST_TEXT]))))
    good = "\n".join(text_of(call)[:_LONGEST_TEXT] for call in [*case.fixes, *case.sample])
    elsewhere = set(_TOKEN.findall(good))
    shared = [token for token, number in counts.items() if case.enough(number) and token not in elsewhere]
    named = [token for token in shared[:50] if is_named(token, case.errors)]
    return (named or (shared if case.distinct >= _ENOUGH_TO_TELL else []))[:_MOST]
