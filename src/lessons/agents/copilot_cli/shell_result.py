"""Copilot CLI's text for the model about a shell command: the output, and in the last line how it ended."""

# `<shellId: 3 completed with exit code 1>`, in older clients `<exited with exit code 1>`.
_ENDS = ("completed with exit code ", "exited with exit code ")
_LONGEST_LINE = 200


def split_exit(printed: str) -> tuple[str, int | None]:
    """Returns the output without that line, and the exit code; the unchanged text and None if there is no such line."""
    words = printed.rstrip()
    start = words.rfind("\n") + 1
    line = words[start:]
    if not (line.startswith("<") and line.endswith(">")) or len(line) > _LONGEST_LINE:
        return printed, None
    for end in _ENDS:
        digits = line.rpartition(end)[2][:-1] if end in line else ""
        if digits.removeprefix("-").isdecimal() and digits.isascii():
            return words[:start].rstrip("\n"), int(digits)
    return printed, None
