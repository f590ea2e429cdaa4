"""Finds where the assignments at the start of a command end."""


def after_assignments(words: list[str], start: int) -> int:
    """Returns the index of the first word from `start` on that is not `NAME=value`."""
    while start < len(words) and is_assignment(words[start]):
        start += 1
    return start


def is_assignment(word: str) -> bool:
    equals = word.find("=")
    if equals < 1:
        return False
    name = word[:equals]
    if name[-1] == "+":
        name = name[:-1]
    return name.partition("[")[0].isidentifier()
