"""Finds the telling line of an error: the line that says what was wrong."""

import re
from functools import lru_cache

from lessons.failure.clean import clean, one_line
from lessons.failure.layers import innermost

_MOST_LINES = 80
_LONGEST_LINE = 500
_BOX = re.compile(r"[ \t]*[│┃╷╵╭╰║▌]+[─━]*[ \t]*")  # drawn around or beside a message
_SHOWN_CODE = re.compile(r"[$>] |[ \t>]*\d+ ?[│|]|[\s~^│|]*$|\s*(?:at|File|throw) ")
_STRONG = re.compile(
    r"\b(?:error|fatal|err!|panic|exception)\w*(?:\[\w+\]|\(\w+\))?:|\w(?:error|exception): |command not found"
    r"|no such file|permission denied|unknown |unrecogni[sz]ed |(?:illegal|invalid|unexpected) (?:option|argument|flag)"
)
_LIKELY = re.compile(
    r"not found|no such |no matches|cannot |can't |could not |couldn't |unable |unknown |invalid|illegal"
    r"|unexpected|denied|\bnot (?:an?|allowed|permitted|staged)\b|refused|reject|does not |doesn't |did not |must "
    r"|required|missing|already|conflict|ignored|blocked|outside|overwritten|failed|fail "
)
_SIDE = re.compile(
    r"\s*(?:warning|note|hint|info|usage|for more|see |\d+ )"
    r"|npm (?:error|err!) (?:code|errno|syscall|path) \S+$|\W*(?:failure: )?build failed\b"
    r"|.{0,20}\bwarn(?:ing)?\b|.*(?:script failed|exit(?:ed)? (?:code|with|status)|complete log)"
    r"|.*\bwill be ignored\b|(?:error: )?found \d+ errors?$"
    r"|\+ (?:categoryinfo|fullyqualifiederrorid) |at line:\d+ char:\d+$"  # PowerShell, below its message
)
_MESSAGE = re.compile(r'"message" ?: ?"((?:[^"\\]|\\.){3,400})"')
_SHELL_MESSAGE = re.compile(r"\(eval\):\d+: |(?:ba|z|da)?sh: ")  # each of its lines is complete
_FEW_WORDS = 4
_LOWEST, _HIGHEST = -5, 4  # scores
_WORDS = re.compile(
    _LIKELY.pattern + r"|not defined|error|fatal|fail|exception|panic|could not|is not|unrecogni|requires |needs an"
    r"|unterminated|unmatched|problem|deprecated|more than one|ambiguous|too many"
)


def lines_of(error: str) -> list[str]:
    """Returns the lines of the error without shown commands, shown code and repetitions."""
    lines = clean(error).split("\n")[:_MOST_LINES]
    shown = [line for line in lines if not _SHOWN_CODE.match(line)] or lines
    return list(dict.fromkeys(line for line in (one_line(_unboxed(line)) for line in shown) if line))


def _unboxed(line: str) -> str:
    box = _BOX.match(line)
    return line[box.end() :] if box else line


@lru_cache(maxsize=512)
def telling_line(error: str) -> str:
    """Returns the telling line, joined with the next one if it is too short; empty for an empty error."""
    lines = lines_of(error)
    if not lines:
        return ""
    place = _place(lines)
    line = lines[place]
    found = _MESSAGE.search(line) or (_MESSAGE.search(" ".join(lines)) if line[-1] in "[{" else None)
    if found is not None:
        line = one_line(found[1].replace("\\n", " ").replace('\\"', '"'))
    elif place + 1 < len(lines) and _is_unfinished(line):
        line = f"{line} {lines[place + 1]}"
    return innermost(line, _LONGEST_LINE)[:_LONGEST_LINE]


def _is_unfinished(line: str) -> bool:
    says_little = line.endswith(":") or len(line.split()) < _FEW_WORDS - 1
    return says_little and not _SHELL_MESSAGE.match(line)


def is_telling(line: str) -> bool:
    """Whether a line has words that programs use for errors."""
    return _WORDS.search(line[:_LONGEST_LINE].lower()) is not None


def _place(lines: list[str]) -> int:
    """Returns the index of the first line with the best score."""
    best, place = _score(lines[0], _LOWEST), 0
    for number in range(1, len(lines)):
        if best == _HIGHEST:
            break
        score = _score(lines[number], best)
        if score > best:
            best, place = score, number
    return place


def _score(line: str, least: int) -> int:
    """Scores how informative the line is; returns `least` early if the score cannot exceed it."""
    low = line[:_LONGEST_LINE].lower()
    score = 3 * (_STRONG.search(low) is not None) - (len(line.split()) < _FEW_WORDS)
    if score + 1 > least:
        score += _LIKELY.search(low) is not None
    if score <= least:
        return least
    return score - 4 * (_SIDE.match(low) is not None)
