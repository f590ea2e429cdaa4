"""Finds API paths in a command line, with numbers and ids replaced by empty segments."""

import re

_PATH = re.compile(r"(?<![\w.$/~-])/?(?:[\w.{}@:-]+/){2,12}[\w.{}@-]+")
_NUMBER = re.compile(r"\d+|[0-9a-f]{8,}(?:-[0-9a-f]{4,})*")
_LONGEST_TEXT = 4096

Shape = tuple[str, ...]  # the segments of a path; an empty one replaces a number or an id


def api_shapes(text: str) -> list[Shape]:
    """Returns one shape per path with at least three segments."""
    paths = [path for path in _PATH.findall(text[:_LONGEST_TEXT]) if path[0] != "."]
    return [tuple("" if _NUMBER.fullmatch(part) else part for part in path.strip("/").split("/")) for path in paths]
