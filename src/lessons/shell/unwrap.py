"""Finds where the command that a wrapper runs starts."""

from lessons.shell.fast import after_assignments
from lessons.shell.global_options import GLOBAL_OPTIONS
from lessons.shell.tables import NAMES, PYTHONS, RUNNER_OPTIONS, STARTERS


def unwrap(words: list[str], start: int) -> int:
    """Returns the index of the command that the program at `start` would run, 0 if it wraps none.

    If only a part of a word names that command (`-mpytest`), replaces the word by that part.
    """
    program = words[start]
    if f"\n{program} " in NAMES:
        index = _after_subcommand(words, start)
    elif "wraps" in STARTERS.get(program, ()):
        index = _after_wrapper(words, start + 1, program)
    elif program.rstrip("0123456789.") in PYTHONS:
        index = _module(words, start)
    else:
        return 0
    if not index:
        return 0
    index = after_assignments(words, index)
    if index >= len(words) or words[index][:1] == "-" or words[index].lstrip("0123456789&")[:1] in ("<", ">"):
        return 0
    return index


def _after_subcommand(words: list[str], start: int) -> int:
    program = words[start]
    options = GLOBAL_OPTIONS[program][0] if program in GLOBAL_OPTIONS else RUNNER_OPTIONS.get(program, "")
    index = after_options(words, start + 1, options)
    for size in (1, 2):
        name = " ".join([program, *words[index : index + size]])
        if "wraps" in STARTERS.get(name, ()):
            return _after_wrapper(words, index + size, name)
    return _after_wrapper(words, start + 1, program) if "wraps" in STARTERS.get(program, ()) else 0


def _after_wrapper(words: list[str], index: int, name: str) -> int:
    row = STARTERS[name]
    if "after" in row:
        return words.index(row["after"], index) + 1 if row["after"] in words[index:] else 0
    begin, index = index, after_options(words, index, row["wraps"])
    if has_option(words[begin:index], row.get("unless", ""), row["wraps"]):
        return 0
    if name == "runuser" and not has_option(words[begin:index], "u --user", row["wraps"]):
        return 0  # the words name a user
    if "operands" in row:
        index = after_options(words, index + row["operands"], row["wraps"])
    if name == "hatch run" and index < len(words):
        words[index] = words[index].rpartition(":")[2]  # an environment name may precede it
    return index


def has_option(options: list[str], asked: str, with_value: str) -> bool:
    """Whether the options include one of these letters or names; a letter that takes a value ends a cluster."""
    letters, _, names = asked.partition(" ")
    others = with_value.partition(" ")[0]
    for option in options:
        if option[:2] == "--":
            if option.partition("=")[0] in names.split():
                return True
        elif option[:1] == "-":
            for letter in option[1:]:
                if letter in letters:
                    return True
                if letter in others:
                    break
    return False


def after_options(words: list[str], index: int, with_value: str) -> int:
    """Returns the index of the first word from `index` on that is neither an option nor the value of one."""
    letters, _, names = with_value.partition(" ")
    while index < len(words) and words[index][:1] == "-":
        word = words[index]
        index += 1
        if word == "--":
            break
        if word in ("--help", "--version"):
            return len(words)  # it prints information and runs nothing
        if word[:2] == "--" or word in names.split():
            index += word in names.split()
        else:
            index += _takes_next_word(word, letters)
    return index


def _takes_next_word(cluster: str, letters: str) -> bool:
    for position in range(1, len(cluster)):
        if cluster[position] in letters:
            return position == len(cluster) - 1
    return False


def _module(words: list[str], start: int) -> int:
    index = start + 1
    while index < len(words) and words[index][:1] == "-":
        word = words[index]
        index += 1
        for position in range(1, len(word)):
            letter = word[position]
            if letter == "m":
                if position < len(word) - 1:
                    index -= 1
                    words[index] = word[position + 1 :]
                return index
            if letter in "c-":
                return 0
            if letter in "WX":
                index += position == len(word) - 1
                break
    return 0
