"""The file into which a line sends its output and that the shell could not open, as its error says."""

import re

_NOT_OPENED = re.compile(
    r"^(?:\S{1,40}: ){0,3}(?:line \d+: )?(?:no such file or directory: (?P<last>[\w.@+/-]{3,120})"
    r"|(?P<first>[\w.@+/-]{3,120}): No such file or directory)$",
    re.MULTILINE,
)


def unopened_target(command: str, error: str) -> str:
    """A relative path with a folder; empty if the error is about something else. Absolute ones are one machine's."""
    for said in _NOT_OPENED.finditer(error):
        path = said["last"] or said["first"]
        if path[0] != "/" and "/" in path and re.search(rf">\s*(?:\./)?{re.escape(path)}(?!\S)", command):
            return path.removeprefix("./")
    return ""
