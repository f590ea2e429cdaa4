"""A regex of a lesson or of another tool's manifest in, the Python `re` source and flag bits out."""

# The bits of re.IGNORECASE, re.MULTILINE and re.DOTALL; u asks JavaScript for what Python does anyway.
_FLAG_BITS = {"i": 2, "m": 8, "s": 16, "u": 0}
_ASCII = 256  # re.ASCII
_ASCII_IN_JAVASCRIPT = ("\\b", "\\B", "\\w", "\\W", "\\d", "\\D")
_FLAG_LETTERS = "aiLmsux"
# The non-ASCII spaces of `\\s`, as written in a character class.
_MORE_SPACES = r"\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_FLAG_REASONS = {
    "g": "a search always starts at the beginning here",
    "y": "sticky matching has no counterpart in Python",
    "d": "match positions are not used here",
    "v": "set notation has no counterpart in Python",
}
_ESCAPES = frozenset("AbBdDsSwWZafnrtvxUN0123456789")
_ESCAPES_IN_CLASS = frozenset("bdDsSwWafnrtvxUN0123456789")
_WHOLE_CLASSES = frozenset(("\\d", "\\D", "\\s", "\\S", "\\w", "\\W"))
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


def to_python(source: str, flags: str = "") -> tuple[str, int]:
    """Returns the same pattern for `re`; raises ValueError with a readable reason if Python has no equivalent.

    `\\b`, `\\w` and `\\d` match ASCII only, as in JavaScript, unless the pattern has other letters: `\\bécran\\b`
    means a word. `\\s` matches every space in both languages.
    """
    bits = 0
    for flag in flags:
        if flag not in _FLAG_BITS:
            reason = _FLAG_REASONS.get(flag, "it is not a flag known here")
            raise ValueError(f"the regex flag {flag!r} cannot be used ({reason}): use only i, m, s and u")
        bits |= _FLAG_BITS[flag]
    if "\\" not in source and "[" not in source and "(?" not in source:
        return source, bits
    if _means_ascii(source):
        return _translate(source, True), bits | _ASCII
    return _translate(source, False), bits


def _means_ascii(source: str) -> bool:
    if not source.isascii() or not any(escape in source for escape in _ASCII_IN_JAVASCRIPT):
        return False
    for opening in source.split("(?")[1:]:
        letters = opening[: len(opening) - len(opening.lstrip(_FLAG_LETTERS))]
        if any(letter in letters for letter in "auL") and opening[len(letters) : len(letters) + 1] in (":", ")", "-"):
            return False  # the pattern itself sets its character set
    return True


def _translate(source: str, only_ascii: bool) -> str:
    pieces = []
    position = 0
    while position < len(source):
        char = source[position]
        if char == "\\":
            piece, position = _escape(source, position, _ESCAPES)
            if only_ascii and piece in ("\\s", "\\S"):
                piece = f"(?u:{piece})"
        elif char == "[":
            piece, position = _class(source, position)
            if only_ascii and "\\s" in piece.replace("\\\\", ""):
                piece = f"{piece[:-1]}{_MORE_SPACES}]"
        elif char == "(" and source.startswith("?", position + 1):
            if _is_verbose(source, position + 2):
                return source  # only Python has verbose groups, and their comments may contain anything
            piece, position = _group(source, position)
        else:
            piece, position = char, position + 1
        pieces.append(piece)
    return "".join(pieces)


def _is_verbose(source: str, position: int) -> bool:
    letters = ""
    while source[position : position + 1].isalpha():
        letters += source[position]
        position += 1
    return "x" in letters and source[position : position + 1] in (")", ":", "-")


def _group(source: str, position: int) -> tuple[str, int]:
    """Returns the opening of a group, or a whole comment."""
    if source.startswith("(?#", position):
        end = source.find(")", position) + 1 or len(source)
        return source[position:end], end
    if source.startswith("(?<", position) and source[position + 3 : position + 4] not in ("=", "!"):
        name, end = _name(source, position + 2)
        return f"(?P<{name}>", end
    return "(?", position + 2


def _name(source: str, position: int) -> tuple[str, int]:
    """Returns the name of a group from its `<`, and the position after it."""
    end = source.find(">", position)
    name = source[position + 1 : end]
    if end < 0 or not name.isidentifier():
        raise ValueError(f"the group name at {source[position:]!r} must be letters, digits and _ between < and >")
    return name, end + 1


def _escape(source: str, position: int, known: frozenset[str]) -> tuple[str, int]:
    """Translates one escape sequence; `known` are the letters and digits that Python accepts in this place."""
    char = source[position + 1 : position + 2]
    after = position + 2
    if not char:
        raise ValueError("the regex ends in a lone backslash: write \\\\ for a backslash")
    if char == "/":
        return "/", after
    if char == "u":
        return _code_point(source, after)
    if char == "k" and known is _ESCAPES and source.startswith("<", after):
        name, after = _name(source, after)
        return f"(?P={name})", after
    if char == "c" and source[after : after + 1].isascii() and source[after : after + 1].isalpha():
        return f"\\x{ord(source[after]) % 32:02x}", after + 1
    if char in "pP":
        raise ValueError(f"\\{char}{{…}} is not known to Python: write the characters out, as in [A-Za-z]")
    if char.isascii() and char.isalnum() and char not in known:
        raise ValueError(f"\\{char} has no meaning here: write {char} for the letter or \\\\{char} for a backslash")
    return source[position:after], after


def _code_point(source: str, position: int) -> tuple[str, int]:
    """Reads after `\\u`: four digits, a surrogate pair as one character, or any number of digits in braces."""
    if not source.startswith("{", position):
        high, after = _four_digits(source, position), position + 4
        if 0xD800 <= high < 0xDC00 and source.startswith("\\u", after) and source[after + 2 : after + 3] != "{":
            low = _four_digits(source, after + 2)
            if 0xDC00 <= low < 0xE000:
                return f"\\U{0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00:08x}", after + 6
        return source[position - 2 : after], after
    end = source.find("}", position)
    digits = source[position + 1 : end]
    if end < 0 or not digits or not _HEXADECIMAL.issuperset(digits):
        raise ValueError(f"\\u{source[position:][:10]} is not a character: write \\u{{…}} with hexadecimal digits")
    number = int(digits, 16)
    if number > 0x10FFFF:
        raise ValueError(f"\\u{{{digits}}} is not a character: the last one is \\u{{10FFFF}}")
    return (f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"), end + 1


def _four_digits(source: str, position: int) -> int:
    digits = source[position : position + 4]
    if len(digits) < 4 or not _HEXADECIMAL.issuperset(digits):
        raise ValueError(f"\\u{digits} is not a character: write four hexadecimal digits after \\u")
    return int(digits, 16)


def _class(source: str, position: int) -> tuple[str, int]:
    """Translates a character class from its `[`; escapes what Python warns about or reads as a broken range."""
    start = position
    position += 2 if source.startswith("^", position + 1) else 1
    pieces = [source[start:position]]
    if source.startswith("]", position):
        if _is_empty_class(source, start, position + 1):
            return ("[^\\s\\S]" if position == start + 1 else "[\\s\\S]"), position + 1
        pieces.append("]")
        position += 1
    while not source.startswith("]", position):
        item, position = _class_item(source, position, len(pieces) > 1)
        pieces.append(item)
        if not source.startswith("-", position) or source.startswith("]", position + 1):
            continue
        upper, position = _class_item(source, position + 1, True)
        upper = "\\-" if upper == "-" else upper
        if item not in _WHOLE_CLASSES and upper not in _WHOLE_CLASSES:
            pieces.append("-" + upper)
            continue
        pieces.append("\\-" + upper)  # [\w-.]: JavaScript takes the hyphen literally
        if source.startswith("-", position):
            pieces.append("\\-")
            position += 1
    return "".join(pieces) + "]", position + 1


def _class_item(source: str, position: int, inside: bool) -> tuple[str, int]:
    """Translates one character or escape; `inside` is false for the first one, where a doubled sign is harmless."""
    char = source[position : position + 1]
    if not char:
        raise ValueError("a [ in the regex is never closed: add the ] or write \\[ for the bracket itself")
    if char == "\\":
        return _escape(source, position, _ESCAPES_IN_CLASS)
    if char == "[" or (inside and char in "-&~|" and source.startswith(char, position + 1)):
        return "\\" + char, position + 1
    return char, position + 1


def _is_empty_class(source: str, start: int, position: int) -> bool:
    """Whether `[]` or `[^]` is a complete class, as in JavaScript; in Python it contains a `]`. Raises if ambiguous."""
    close = _find_unescaped(source, "]", position)
    inner = _find_unescaped(source, "[", position)
    if close < 0:
        return True
    if inner < 0 or close < inner or inner == position or close == inner + 1:
        return False
    if source[position] in "*+?{)|":
        return True
    raise ValueError(
        f"{source[start : close + 1]!r} can be read in two ways: write \\] for the bracket itself, "
        "[\\s\\S] for any character"
    )


def _find_unescaped(source: str, wanted: str, position: int) -> int:
    while position < len(source):
        if source[position] == wanted:
            return position
        position += 2 if source[position] == "\\" else 1
    return -1
