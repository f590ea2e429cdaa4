"""Whether a text has one of the shapes in a table; each has a literal, which is fast to search for."""

import re

# The literal, and the whole shape if it is more than that.
Said = tuple[tuple[str, re.Pattern[str] | None], ...]


def said(*shapes: tuple[str, str]) -> Said:
    return tuple((literal, re.compile(shape, re.MULTILINE) if shape else None) for literal, shape in shapes)


def says(text: str, shapes: Said) -> bool:
    return any(literal in text and (shape is None or shape.search(text)) for literal, shape in shapes)
