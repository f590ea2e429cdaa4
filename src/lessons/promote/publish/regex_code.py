"""Stores regexes as compiled code of this interpreter, for the hook index."""

import _sre  # type: ignore[import-not-found]
import re
from re import _compiler  # type: ignore[attr-defined]

from lessons.match.dialect import to_python
from lessons.promote.regex_tree import tree_of
from lessons.store.published import REGEX_KEYS


def with_code(entry: dict[str, object]) -> dict[str, object]:
    """Returns the entry with each regex as compiled code of this interpreter."""
    left_out = ("tags", "literals")
    compiled = {key: value for key, value in entry.items() if key not in left_out}
    for key in REGEX_KEYS:
        items = entry.get(key)
        if isinstance(items, list):
            compiled[key] = [_code(item["source"], item["flags"]) for item in items]
    return compiled


def _code(source: str, flags: str) -> tuple[object, ...]:
    """Returns the arguments from which `_sre` creates the pattern; checked against the result of `re`."""
    python_source, bits = to_python(source, flags)
    expected = re.compile(python_source, bits)
    parsed = tree_of(python_source, bits)
    # The compiler's named constants are an int subclass that cannot be stored.
    code = [int(word) for word in _compiler._code(parsed, bits)]
    names = dict(parsed.state.groupdict)
    groups: list[str | None] = [None] * parsed.state.groups
    for name, number in names.items():
        groups[number] = name
    stored = (python_source, int(bits | parsed.state.flags), code, parsed.state.groups - 1, names, tuple(groups))
    if _sre.compile(*stored) != expected:
        raise AssertionError(f"the code stored for {python_source!r} is not what re makes of it")
    return stored
