"""The parse tree of a regex, made once for all that look at it."""

from functools import lru_cache
from re import _parser  # type: ignore[attr-defined]
from typing import Any

# Everything that is made of a lesson is made in one go: its few patterns are enough.
_MOST_TREES = 32


@lru_cache(maxsize=_MOST_TREES)
def tree_of(source: str, flags: int) -> Any:
    """Not to be changed; `re.error` and RecursionError as `re` raises them."""
    return _parser.parse(source, flags)
