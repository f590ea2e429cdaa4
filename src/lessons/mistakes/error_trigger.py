"""Proposes a trigger on the line that the errors of one mistake share."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from lessons.failure.clean import COLOUR, clean, one_line
from lessons.failure.layers import innermost
from lessons.failure.telling_line import is_telling, telling_line
from lessons.model import Triggers

LEAST_CAUGHT = 0.9
_MOST_LINES = 40
_LONGEST_LINE = 300
_LONGEST_PATTERN = 120
_FEWEST_WORDS = 3
# Only introduces the line that names the cause.
_PREAMBLE = re.compile(
    r"(?:\w+: )?usage:|\S+ version [\d.]+\S* *(?:$|\(|Copyright)|\s*(?:at |File \"|\^|hint:)"
    r"|.{0,40}\bwarning\b|.*\bwill be ignored\b",
    re.IGNORECASE,
)
# Parts that may differ the next time: quoted texts, addresses, paths, ids and numbers.
_CHANGING = re.compile(
    r"(?P<quoted>(?<!\w)'[^'\n]{1,150}'(?!\w)|\"[^\"\n]{1,150}\"|`[^`\n]{1,150}`|‘[^’\n]{1,150}’|“[^”\n]{1,150}”)"
    r"|(?P<word>\S*(?:[/\\]\S|\d|\w\.\w|[{}<>*@=]|__|\S[\[?]\S)\S*)"
)
_OPTION = re.compile(r"--?[A-Za-z][A-Za-z-]*")
_ECHO = re.compile(r"( followed by:).*")  # the part of the command that a client repeats
_WORD = re.compile(r"(?<![\w\\])[A-Za-z][A-Za-z'-]+(?!\w)")
_OPEN = r"(?:\\S\+|\.\+)"
_SPEAKER = re.compile(r"^(?:\w[\w.-]{0,30}: )+")
_WORDS_OF_A_SENTENCE = 6
_OF_SHELL = re.compile(r"^(?:\(eval\):\d+: |(?:/\S+/)?(?:ba|z|da|k)?sh:(?: (?:line )?\d+:|\d+:)? )")
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")
# What the system prints for every program: it says nothing about this mistake.
_GENERIC = re.compile(
    r"no such file or directory|permission denied|command not found|file not found|syntax error(?: at or)?(?: near)?"
    r"|(?:invalid|bad) request|(?:the term\s+)?is not recognized as (?:the name of a cmdlet|an internal).*"
    r"|internal server error|not found|syntaxerror: invalid syntax(?:\. perhaps you forgot a comma)?",
    re.I,
)


def literal(text: str) -> str:
    """Returns a pattern that matches only the text, with as few backslashes as possible."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def error_trigger(
    errors: Sequence[str], others: Sequence[str] = (), is_to_blame: Callable[[str], bool] = lambda text: False
) -> Triggers | None:
    """Returns the plainest line that nearly all errors have, with its changing parts open; None if it says too little.

    `others` are errors of other mistakes: a line that is more common among these says too little as well. A quoted text
    that is to blame stays: with another text it would be another mistake.
    """
    counts: Counter[str] = Counter()
    lines: dict[str, str] = {}
    for error in errors:
        found = {pattern: line for line in _lines(error) if (pattern := _pattern(line, is_to_blame))}
        counts.update(found.keys())
        lines.update(found)
    shared = [pattern for pattern, number in counts.items() if number >= LEAST_CAUGHT * len(errors)]
    # Where no line is the same in all, one may still be a part of the others: `no such room`, `no such room (1)`.
    usable = list(filter(_says_enough, shared)) or list(filter(_says_enough, list(counts)[:_MOST_LINES]))
    main = [telling_line(error) for error in errors]
    says_most = {pattern: any(one_line(lines[pattern]) in line for line in main) for pattern in usable}
    usable = [pattern for pattern in usable if says_most[pattern] or is_telling(lines[pattern])]
    usable.sort(key=lambda pattern: not says_most[pattern])
    best = next((pattern for pattern in usable if _fires_on(pattern, errors, others)), "")
    return Triggers(error_patterns=[best]) if best else None


def _lines(error: str) -> list[str]:
    """Returns the lines of an error that could say what was wrong, and the pieces of coloured ones."""
    lines = [innermost(_ECHO.sub(r"\1", line.strip()), _LONGEST_PATTERN) for line in clean(error).split("\n")]
    lines = [_cut(line, _LONGEST_LINE) for line in lines]
    lines = [line for line in lines if line and not _PREAMBLE.match(line)][:_MOST_LINES]
    coloured = [line for line in error.split("\n") if "\x1b" in line][:_MOST_LINES]
    return lines + [piece[:_LONGEST_LINE].strip() for line in coloured for piece in _main_pieces(line)]


def _main_pieces(line: str) -> list[str]:
    """Returns the text between colours; not a small part of the line, which may only sum up."""
    pieces = [piece for piece in COLOUR.split(line) if piece.strip()]
    words = sum(len(piece.split()) for piece in pieces)
    return [piece for piece in pieces if 3 * len(piece.split()) >= 2 * words]


def _pattern(line: str, is_to_blame: Callable[[str], bool]) -> str:
    """Returns the line with its changing parts open; cut if it gets long."""
    bare = _OF_SHELL.sub("", line, count=1)  # one shell prints it with or without its name
    line = bare if not _GENERIC.search(bare) and _says_enough(bare) else line
    pieces: list[str] = []
    end = 0
    for found in _CHANGING.finditer(line):
        is_quoted = found.lastgroup == "quoted"
        if is_quoted and (_OPTION.fullmatch(found[0][1:-1]) or is_to_blame(found[0][1:-1])):
            continue
        pieces += [literal(line[end : found.start()]), ".+" if is_quoted else r"\S+"]
        end = found.end()
    text = "".join([*pieces, literal(line[end:])])
    text = re.sub(rf"{_OPEN}(?:[\s,:;]*{_OPEN})+", ".+", text)
    bare = _SPEAKER.sub("", text, count=1)  # the same sentence may come from another program or layer
    text = bare if len(_WORD.findall(bare)) >= _WORDS_OF_A_SENTENCE else text
    text = re.sub(rf"^{_OPEN}[\s:,;]*|[\s:,;]*{_OPEN}\W?$", "", text)
    return _cut(text, _LONGEST_PATTERN).rstrip("\\")


def _cut(text: str, longest: int) -> str:
    """Returns as many whole words from the start as fit."""
    return text if len(text) <= longest else text[:longest].rpartition(" ")[0]


def _says_enough(pattern: str) -> bool:
    """Whether enough of the program's own words are left; the name of a missing program is enough."""
    words = _WORD.findall(_GENERIC.sub(" ", pattern.replace(r"\S+", " ").replace(".+", " ")))
    return len(set(words)) >= (1 if "command not found" in pattern else _FEWEST_WORDS)


def _fires_on(pattern: str, errors: Sequence[str], others: Sequence[str]) -> bool:
    """Whether it really matches (the line may contain colour codes), and its own errors more than others."""
    try:
        compiled = re.compile(pattern)
    except re.error:
        return False
    if sum(compiled.search(error) is not None for error in errors) < LEAST_CAUGHT * len(errors):
        return False
    return sum(compiled.search(error) is not None for error in others) <= len(errors)


def not_found_trigger(name: str) -> Triggers:
    """Returns a trigger on the missing program in the words of any shell, or of what starts a container."""
    said = rf"not found: {literal(name)}(?![\w-])|(?<![\w-]){literal(name)}: (?:command )?not found"
    said += rf'|exec: "{literal(name)}": executable file not found'
    return Triggers(error_patterns=[rf"{said}|(?<![\w-]){literal(name)}['’] is not recognized as"])
