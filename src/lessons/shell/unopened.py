"""Finds the redirection target that the shell could not open, according to its error."""

import re

_NOT_OPENED = re.compile(
    r"^(?:\S{1,40}: ){0,3}(?:line \d+: )?(?:no such file or directory: (?P<last>[\w.@+/-]{3,120})"
    r"|(?P<first>[\w.@+/-]{3,120}): No such file or directory)$",
    re.MULTILINE,
)


def unopened_target(command: str, error: str) -> str:
    """Returns a relative path with a folder; empty if there is none. Absolute paths are specific to one machine."""
    for match in _NOT_OPENED.finditer(error):
        path = match["last"] or match["first"]
        if path[0] != "/" and "/" in path and re.search(rf">\s*(?:\./)?{re.escape(path)}(?!\S)", command):
            return path.removeprefix("./")
    return ""
