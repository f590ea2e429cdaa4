"""What Copilot CLI tells the model about a shell command: the output, and in a last line how it ended."""

# `<shellId: 3 completed with exit code 1>`, in older clients `<exited with exit code 1>`.
_ENDS = ("completed with exit code ", "exited with exit code ")
_LONGEST_LINE = 200


def split_exit(printed: str) -> tuple[str, int | None]:
    """The output without that line, and the exit code; the text as it is and None where no line tells of an end."""
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
