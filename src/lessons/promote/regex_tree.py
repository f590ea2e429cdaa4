"""The parse tree of a regex, built once for all users."""

from functools import lru_cache
from re import _parser  # type: ignore[attr-defined]
from typing import Any

# A lesson is compiled in one go: its few patterns are enough.
_MOST_TREES = 32


@lru_cache(maxsize=_MOST_TREES)
def tree_of(source: str, flags: int) -> Any:
    """Must not be changed; raises `re.error` and RecursionError as `re` does."""
    return _parser.parse(source, flags)
