"""Proposes a trigger on the line that the errors of one mistake share."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from lessons.failure.clean import COLOUR, clean, one_line
from lessons.failure.layers import innermost
from lessons.failure.telling_line import is_telling, telling_line
from lessons.match.call import ToolCall
from lessons.model import Triggers
from lessons.promote.propose.judge import LEAST_CAUGHT
from lessons.promote.propose.words import literal
from lessons.shell.missing import KEYWORD

_MOST_LINES = 40
_LONGEST_LINE = 300
_LONGEST_PATTERN = 120
_FEWEST_WORDS = 3
_AROUND = "'\"`‘’“”.,:;()[]"
_WORDS_OF_A_SENTENCE = 6
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
_SPEAKER = re.compile(r"^(?:\w[\w.-]{0,30}: )+")
_OF_SHELL = re.compile(r"^(?:\(eval\):\d+: |(?:/\S+/)?(?:ba|z|da|k)?sh:(?: (?:line )?\d+:|\d+:)? )")
# What the system prints for every program: it says nothing about this mistake.
_GENERIC = re.compile(
    r"no such file or directory|permission denied|command not found|file not found|syntax error(?: at or)?(?: near)?"
    r"|(?:invalid|bad) request|(?:the term\s+)?is not recognized as (?:the name of a cmdlet|an internal).*"
    r"|internal server error|not found|syntaxerror: invalid syntax(?:\. perhaps you forgot a comma)?",
    re.I,
)

_NOTHING_TO_REMOVE = re.compile(r"\brm: [^\n]*: No such file or directory")
_OF_SYSTEM = re.compile(r"[Nn]o such file or directory|[Pp]ermission denied|[Nn]ot a directory|[Ii]s a directory")
_PLACE = re.compile(r"(?!.*(?:[a-f0-9]{7,}|\d{4,}))(?:\./)?[\w@+-][\w.@+-]*(?:/[\w.@+-]+)*")  # inside a project


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
        found = {_pattern(line, is_to_blame): line for line in _lines(error)}
        counts.update(found.keys())
        lines.update(found)
    shared = [pattern for pattern, number in counts.items() if pattern and number >= LEAST_CAUGHT * len(errors)]
    # Where no line is the same in all, one may still be a part of the others: `no such room`, `no such room (1)`.
    parts = [pattern for pattern in list(counts)[:_MOST_LINES] if pattern]
    usable = [pattern for pattern in shared if _says_enough(pattern)] or list(filter(_says_enough, parts))
    telling = [pattern for pattern in usable if is_telling(lines[pattern])]
    # The line that says most may have none of the usual words, unlike one that only sums up.
    if telling or len(lines) == 1:
        telling = [pattern for pattern in usable if pattern in telling or _says_most(lines[pattern], errors)]
    telling.sort(key=lambda pattern: _rank(lines[pattern], errors, is_to_blame))
    best = next((pattern for pattern in telling if _fires_on(pattern, errors, others)), "")
    return Triggers(error_patterns=[best]) if best else None


def _rank(line: str, errors: Sequence[str], is_to_blame: Callable[[str], bool]) -> int:
    """Ranks what names the blamed word first, then the line that says most, then the order of the error."""
    if any(is_to_blame(word.strip(_AROUND)) for word in line.split()):
        return 0
    return 1 if _says_most(line, errors) else 2


def _says_most(line: str, errors: Sequence[str]) -> bool:
    return any(one_line(line) in telling_line(error) for error in errors)


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
    line = _without_shell(line)
    pieces: list[str] = []
    end = 0
    for found in _CHANGING.finditer(line):
        if found.lastgroup == "quoted" and (re.fullmatch(KEYWORD, found[0][1:-1]) or is_to_blame(found[0][1:-1])):
            continue
        pieces += [literal(line[end : found.start()]), _opened(found)]
        end = found.end()
    text = "".join([*pieces, literal(line[end:])])
    text = re.sub(r"(?:\\S\+|\.\+)(?:[\s,:;]*(?:\\S\+|\.\+))+", ".+", text)
    text = _without_speaker(text)
    text = re.sub(r"^(?:\\S\+|\.\+)[\s:,;]*|[\s:,;]*(?:\\S\+|\.\+)\W?$", "", text)
    return _cut(text, _LONGEST_PATTERN).rstrip("\\")


def _opened(found: re.Match[str]) -> str:
    """Returns a pattern for a changing part; a quoted option stays: another one is another mistake."""
    if found.lastgroup != "quoted":
        return r"\S+"
    if found[0][1] == "-":
        return literal(found[0]) if _OPTION.fullmatch(found[0][1:-1]) else f"{literal(found[0][0])}-.+"
    is_argument = found.string[: found.start()].endswith(" argument ")
    return f"{literal(found[0][0])}[^-].*{literal(found[0][-1])}" if is_argument else ".+"


def _without_shell(line: str) -> str:
    """Removes `zsh:` or `(eval):1:`: one shell says it in either way, as a command or in a script."""
    bare = _OF_SHELL.sub("", line, count=1)
    return bare if not _GENERIC.search(bare) and _says_enough(bare) else line


def _without_speaker(text: str) -> str:
    """Removes the name of the program: the same sentence may come from another program or layer."""
    bare = _SPEAKER.sub("", text, count=1)
    return bare if len(_WORD.findall(bare)) >= _WORDS_OF_A_SENTENCE else text


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


def place_trigger(failures: Sequence[ToolCall]) -> Triggers | None:
    """For what the system prints about any file: uses the place that all errors name and all calls have."""
    if all(_NOTHING_TO_REMOVE.search(call.error or "") for call in failures):
        return Triggers(error_patterns=[_NOTHING_TO_REMOVE.pattern])
    shared = set.intersection(*map(_named_places, failures))
    return Triggers(error_patterns=[min(shared)]) if shared else None


def _named_places(call: ToolCall) -> set[str]:
    """Returns a pattern for each place of the call that the error names."""
    words = {word for word in (call.command or "").split() if _PLACE.fullmatch(word)}
    lines = [(line, found[0]) for line in _lines(call.error or "") if (found := _OF_SYSTEM.search(line))]
    patterns = [
        (line, rf"(?<![\w/.-]){literal(word)}: {literal(message)}") for line, message in lines for word in words
    ]
    return {pattern for line, pattern in patterns if re.search(pattern, line)}


def option_errors(option: str) -> Triggers:
    """Returns a trigger on any error that calls this option wrong, from any command."""
    name = literal(option.lstrip("-"))
    complaint = r"(?:[Uu]nknown|[Uu]nrecogni[sz]ed|unexpected|invalid|illegal|no such|not defined)\b"
    pattern = rf"{complaint}[^\n]{{0,30}}-{name}(?![\w-])"
    if name[:1].isupper():  # an option of PowerShell
        pattern += f"|parameter name '{name}'"
    return Triggers(error_patterns=[pattern])
