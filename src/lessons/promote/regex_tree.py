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


def name_of(operation: Any) -> str:
    """The name of an operation in such a tree: `str` of it is the same, several times slower."""
    name: str = operation if isinstance(operation, str) else operation.name
    return name


def parts_of(items: Any) -> list[Any]:
    """The parts of a sequence in such a tree, as a list: the parser's own class hands them out one by one, slowly."""
    parts: list[Any] = items.data if isinstance(items, _parser.SubPattern) else items
    return parts
