"""The names in the calls of a mistake that only the failing ones contain."""

import re
from collections import Counter
from collections.abc import Iterable

from lessons.match.call import ToolCall
from lessons.promote.propose.good_calls import text_of
from lessons.promote.propose.judge import Case
from lessons.promote.propose.named import quoted_names
from lessons.promote.propose.words import is_named

_TOKEN = re.compile(r"(?<![\w$/.-])[A-Za-z_][A-Za-z_]{2,30}(?![\w/.-])")
_LONGEST_TEXT = 4096
_MOST_IN_COMMON = 5
_MOST_TOKENS = 6
_ENOUGH_TO_TELL = 3  # in fewer failures than this a shared word is likely to be chance


def quoted_tokens(case: Case) -> list[str]:
    """Names that every error quotes, that stand in every failing text and in none of the calls that worked."""
    pairs = zip(case.failures, case.errors, strict=True)
    named = [quoted_names(text_of(call)[:_LONGEST_TEXT], error) for call, error in pairs]
    elsewhere = _tokens_of([*case.fixes, *case.sample])
    return [name for name in named[0] if all(name in names for names in named) and name not in elsewhere][:_MOST_TOKENS]


def _tokens_of(calls: Iterable[ToolCall]) -> set[str]:
    return {token for call in calls for token in _TOKEN.findall(text_of(call)[:_LONGEST_TEXT])}


def telling_tokens(case: Case) -> list[str]:
    """Those that the errors name first; without that, only what many failures share."""
    if case.distinct == 1:
        return []
    counts: Counter[str] = Counter()
    for call in case.failures:
        counts.update(list(dict.fromkeys(_TOKEN.findall(text_of(call)[:_LONGEST_TEXT]))))
    elsewhere = _tokens_of([*case.fixes, *case.sample])
    shared = [token for token, number in counts.items() if case.enough(number) and token not in elsewhere]
    named = [token for token in shared[:50] if is_named(token, case.errors)]
    # Calls that have much in common were repeated with the same texts: none of it tells.
    tells = case.distinct >= _ENOUGH_TO_TELL and len(shared) <= _MOST_IN_COMMON
    return (named or (shared if tells else []))[:_MOST_TOKENS]
