"""A path glob in, the source of a regex out, for a search in a path with forward slashes, in Python or JavaScript."""

import itertools
import re
from collections.abc import Iterator

_MOST_ALTERNATIVES = 256
_NEVER = "(?!)"
_IN_NAME = "[^/]"
_END = r"(?![\s\S])"  # `$` may stand before a last line end
# A character class within one name, an escaped character, or any other.
_TOKEN = re.compile(r"\[([!^]?)((?:\\.|[^/\\])(?:\\.|[^]/\\])*)\]|\\(.)|(.)", re.DOTALL)
_MEMBER = re.compile(r"(\\.|.)(?:-(\\.|.))?", re.DOTALL)  # of a class: a character or a range
_OF_WINDOWS = re.compile(r"\\(?:\w|\*(?:\Z|[.*\\]))")
_SEPARATOR = r"\\\\|\\(?=\w|\Z)"


def glob_to_regex(pattern: str) -> str:
    """Returns the regex for one glob; raises ValueError if its braces expand to too many patterns.

    `*` and `?` match within one name, `**` any number of directories, `[a-z]` and `[!a-z]` one character, `{a,b}`
    either part. Unclosed brackets and braces without a comma are ordinary characters. The whole path must match, or
    its end from a directory on. A pattern that starts with `/` or `C:/` must match the whole path; one that ends in
    `/` means everything below.

    A backslash escapes the special character after it; before a letter or digit it is a separator. A pattern without
    `/` that has a backslash before a letter or digit, or before a name that starts with `*` (as in `src\\*.py`), is
    from Windows: there every backslash is a separator.
    """
    regexes = dict.fromkeys(map(_alternative_regex, _expanded(list(_tokens(_with_slashes(pattern))))))
    return next(iter(regexes)) if len(regexes) == 1 else "(?:" + "|".join(regexes) + ")"


def _with_slashes(pattern: str) -> str:
    """Turns the backslashes that separate directories into slashes."""
    windows = "/" not in pattern and _OF_WINDOWS.search(pattern)
    separator = rf"{_SEPARATOR}|\\" if windows else _SEPARATOR
    return re.sub(rf"{separator}|(\\.)", lambda found: found[1] or "/", pattern, flags=re.DOTALL)


def _tokens(pattern: str) -> Iterator[str]:
    """Splits the pattern into regex pieces of one character each; leaves `* / { , }` for the next steps."""
    for negated, members, escaped, char in _TOKEN.findall(pattern):
        if members:
            yield _class(members, bool(negated))
        elif char == "?":
            yield _IN_NAME
        else:
            yield char if char and char in "*/{,}" else re.escape(escaped or char)


def _class(members: str, negated: bool) -> str:
    items, may_be_slash = [], False
    for first, last in _MEMBER.findall(members):
        low, high = first[-1], last[-1:] or first[-1]
        if low <= high:  # a reversed range is empty
            items.append(re.escape(low) + (f"-{re.escape(high)}" if last else ""))
            may_be_slash = may_be_slash or low <= "/" <= high
    if negated:
        return "[^/" + "".join(items) + "]"
    return ("(?!/)" if may_be_slash else "") + "[" + "".join(items) + "]" if items else _NEVER


def _expanded(tokens: list[str]) -> list[list[str]]:
    """Returns what the braces stand for, one list of pieces for each choice."""
    waiting, done = [tokens], list[list[str]]()
    while waiting:
        tokens = waiting.pop()
        braces = _inner_braces(tokens)
        if braces is None:
            done.append(["\\" + token if token in "{,}" else token for token in tokens])
        else:
            begin, *_, end = braces
            choices = [tokens[start + 1 : stop] for start, stop in itertools.pairwise(braces)]
            waiting += [tokens[:begin] + choice + tokens[end + 1 :] for choice in reversed(choices)]
        if len(waiting) + len(done) > _MOST_ALTERNATIVES:
            raise ValueError(f"the glob's braces stand for over {_MOST_ALTERNATIVES} patterns: split it up")
    return done


def _inner_braces(tokens: list[str]) -> list[int] | None:
    """Returns the places of the first braces that are closed: the opening one, the commas, the closing one."""
    opened: list[list[int]] = []
    for place, token in enumerate(tokens):
        if token == "{":
            opened.append([place])
        elif token in (",", "}") and opened:
            opened[-1].append(place)
            if token == "}" and len(closed := opened.pop()) > 2:
                return closed
    return None


def _alternative_regex(tokens: list[str]) -> str:
    segments: list[list[str]] = [[]]
    for token in tokens:
        if token == "/":
            segments.append([])
        else:
            segments[-1].append(token)
    if segments[0] == ["\\."] and len(segments) > 1:
        del segments[0]  # ./src is src
    if not any(segments):
        return _NEVER
    if not segments[-1]:
        segments[-1] = ["*", "*"]
    drive = len(segments[0]) == 2 and segments[0][0].isalpha() and segments[0][1] == ":"
    anchored = len(segments) > 1 and (drive or not segments[0])
    if anchored and drive:
        letter = segments[0][0]
        segments[0][0] = f"[{letter.lower()}{letter.upper()}]"
    while len(segments) > 1 and _is_any_depth(segments[0]):
        del segments[0]  # a match may start at any directory anyway
    return ("^" if anchored else "(?<![^/])") + _path_regex(segments) + _END


def _is_any_depth(segment: list[str]) -> bool:
    return len(segment) > 1 and set(segment) == {"*"}


def _path_regex(segments: list[list[str]]) -> str:
    """Matches directories between two `**` at the first place they fit: a later place could match nothing more."""
    chunks: list[list[str]] = [[]]
    for segment in segments:
        if _is_any_depth(segment):
            if chunks[-1] or len(chunks) == 1:
                chunks.append([])
        else:
            chunks[-1].append(_name_regex(segment))
    if len(chunks) == 1:
        return "/".join(chunks[0])
    *middle, last = chunks
    regex = "".join(name + "/" for name in middle[0])
    for chunk in middle[1:]:
        names = "".join(name + "/" for name in chunk)  # the lookahead is an atomic group, which JavaScript lacks
        regex += f"(?:(?!{names})[^/]*/)*{names}"
    return regex + ("(?:[^/]*/)*" + "/".join(last) if last else r"[\s\S]+")


def _name_regex(segment: list[str]) -> str:
    """Does the same within one name: matches the text between two `*` at the first place it fits."""
    chunks = [""]
    for token in segment:
        if token == "*":
            if chunks[-1] or len(chunks) == 1:
                chunks.append("")
        else:
            chunks[-1] += token
    if len(chunks) == 1:
        return chunks[0]
    if chunks == ["", ""]:
        return _IN_NAME + "+"
    first, *middle, last = chunks
    return first + "".join(f"(?:(?!{chunk}){_IN_NAME})*{chunk}" for chunk in middle) + _IN_NAME + "*" + last
