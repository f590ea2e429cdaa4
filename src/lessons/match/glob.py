"""A path glob in, the source of a Python regex out, for `search` in a path with forward slashes."""

_MOST_ALTERNATIVES = 256
_DEEPEST_BRACES = 32
_NEVER = "(?!)"
_IN_NAME = "[^/]"


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
    tokens = _tokens(_with_slashes(pattern))
    regexes = dict.fromkeys(_alternative_regex(alternative) for alternative in _expand(tokens, 0))
    return next(iter(regexes)) if len(regexes) == 1 else "(?:" + "|".join(regexes) + ")"


def _with_slashes(pattern: str) -> str:
    """Turns the backslashes that separate directories into slashes."""
    if "\\" not in pattern:
        return pattern
    windows = "/" not in pattern and _looks_like_windows(pattern)
    pieces = []
    position = 0
    while position < len(pattern):
        char = pattern[position]
        following = pattern[position + 1 : position + 2]
        if char != "\\":
            pieces.append(char)
        elif following == "\\":
            pieces.append("/")
            position += 1
        elif windows or following == "" or following == "_" or following.isalnum():
            pieces.append("/")
        else:
            pieces.append(char + following)
            position += 1
        position += 1
    return "".join(pieces)


def _looks_like_windows(pattern: str) -> bool:
    parts = pattern.split("\\")[1:]
    return any(
        part[:1].isalnum() or part[:1] == "_" or (part[:1] == "*" and part[1:2] in ("", ".", "*")) for part in parts
    )


def _tokens(pattern: str) -> list[str]:
    """Splits the pattern into regex pieces of one character each; leaves `* / { , }` for the next steps."""
    tokens = []
    position = 0
    while position < len(pattern):
        char = pattern[position]
        end = position + 1
        if char == "\\":
            char, end = _literal(pattern[end]), end + 1
        elif char == "?":
            char = _IN_NAME
        elif char == "[":
            char, end = _class(pattern, position)
        elif char not in "*/{,}":
            char = _literal(char)
        tokens.append(char)
        position = end
    return tokens


def _literal(char: str) -> str:
    return char if char.isalnum() or char in "_/" or not char.isascii() else "\\" + char


def _class(pattern: str, position: int) -> tuple[str, int]:
    """Returns the regex of a character class and where it ends; without a `]` in the same name, a literal bracket."""
    bracket = position
    position += 1
    negated = pattern[position : position + 1] in ("!", "^")
    position += negated
    first = position
    characters: list[str | None] = []  # an unescaped hyphen is None: it may form a range
    while position == first or not pattern.startswith("]", position):
        if position >= len(pattern) or pattern[position] == "/":
            return "\\[", bracket + 1
        if pattern[position] == "\\" and position + 1 < len(pattern):
            position += 1
            characters.append(pattern[position])
        else:
            characters.append(None if pattern[position] == "-" else pattern[position])
        position += 1
    return _class_regex(characters, negated), position + 1


def _class_regex(characters: list[str | None], negated: bool) -> str:
    items = []
    position = 0
    while position < len(characters):
        low = characters[position] or "-"
        high = characters[position + 2] or "-" if position + 2 < len(characters) else ""
        if high and characters[position + 1] is None:
            # Excludes the slash from a range that spans it; a reversed range is empty.
            for start, end in ((low, min(high, ".")), (max(low, "0"), high)) if low < "/" < high else ((low, high),):
                items.append(_literal(start) + "-" + _literal(end) if start <= end else "")
            position += 3
        else:
            items.append(_literal(low))
            position += 1
    if negated:
        return "[^/" + "".join(items) + "]"
    return "[" + "".join(items) + "]" if any(items) else _NEVER


def _expand(tokens: list[str], depth: int) -> list[list[str]]:
    if depth > _DEEPEST_BRACES:
        raise ValueError(f"the glob has braces more than {_DEEPEST_BRACES} deep: write it as several patterns")
    closing = _closing_braces(tokens)
    results: list[list[str]] = [[]]
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if position in closing:
            end, commas = closing[position]
            choices = []
            for start, stop in zip([position, *commas], [*commas, end], strict=True):
                choices += _expand(tokens[start + 1 : stop], depth + 1)
            if len(results) * len(choices) > _MOST_ALTERNATIVES:
                raise ValueError(f"the glob's braces stand for over {_MOST_ALTERNATIVES} patterns: split it up")
            results = [result + choice for result in results for choice in choices]
            position = end
        else:
            for result in results:
                result.append("\\" + token if token in "{,}" else token)
        position += 1
    return results


def _closing_braces(tokens: list[str]) -> dict[int, tuple[int, list[int]]]:
    """Returns for each brace that opens alternatives its closing brace and the commas between."""
    closing = {}
    opened: list[tuple[int, list[int]]] = []
    for position, token in enumerate(tokens):
        if token == "{":
            opened.append((position, []))
        elif token == "," and opened:
            opened[-1][1].append(position)
        elif token == "}" and opened:
            start, commas = opened.pop()
            if commas:
                closing[start] = (position, commas)
    return closing


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
    drive = len(segments[0]) == 2 and segments[0][0].isalpha() and segments[0][1] == "\\:"
    anchored = len(segments) > 1 and (drive or not segments[0])
    if anchored and drive:
        letter = segments[0][0]
        segments[0][0] = f"[{letter.lower()}{letter.upper()}]"
    while len(segments) > 1 and _is_any_depth(segments[0]):
        del segments[0]  # a match may start at any directory anyway
    return ("\\A" if anchored else "(?<![^/])") + _path_regex(segments) + "\\Z"


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
        regex += "(?>(?:[^/]*/)*?" + "".join(name + "/" for name in chunk) + ")"
    return regex + ("(?:[^/]*/)*" + "/".join(last) if last else "(?s:.+)")


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
    return first + "".join(f"(?>{_IN_NAME}*?{chunk})" for chunk in middle) + _IN_NAME + "*" + last
