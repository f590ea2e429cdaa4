"""Removes hidden characters from text of any source, and everything that could pass for someone else's words.

All text for the model goes through `neutral`. Text from a transcript, a tool or a repository is also quoted (`quoted`)
or put into a frame that names its source (`framed`).
"""

# Control characters except tab and newline, and invisible characters: direction marks, joiners, fillers, selectors.
_NUMBERS = (
    *(number for number in (*range(32), *range(127, 160)) if number not in (9, 10)),
    *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0),
    *(*range(0x180B, 0x1810), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),
    *(*range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFFC), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B)),
)
LINE_ENDS = {0x2028: "\n", 0x2029: "\n"}
HIDDEN: dict[int, str | None] = {**dict.fromkeys(_NUMBERS), **LINE_ENDS}
# Tags, selectors and private use: people write none of the characters from here on.
FIRST_UNWRITTEN = "\U000e0000"

# What a tag may start with, in all its widths.
OPENINGS = ("<", "\uff1c", "\ufe64")
_CLOSINGS = (">", "\uff1e", "\ufe65")
_BEFORE_NAME = " \t\n/"
_LONGEST_NAME = 64
_DASHES = dict.fromkeys((0x5F, 0x2D, *range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63, 0xFF0D, 0xFF3F), "-")
# Tags with which clients and models frame text that is not the user's: whole names, and prefixes of longer ones.
_NAMES = ("system", "human", "assistant", "instructions", "permissions", "invoke", "thinking")
_BEGINNINGS = (
    "system-re", "system-prompt", "system-message", "system-instruction", "system-no", "system-warn", "local-command-",
    "command-name", "command-message", "command-args", "command-contents", "bash-input", "bash-std", "tool-use-",
    "tool-result", "tool-call", "function-call", "function-result", "antml", "user-prompt-", "user-memory-",
    "user-instructions", "user-message", "user-query", "environment-context", "environment-details", "session-context",
    "hook-context", "hook-prompt", "untrusted-context", "persisted-output", "task-notification", "teammate-message",
    "ide-opened-", "ide-selection", "turn-aborted", "collaboration-mode", "multi-agent-", "skills-instructions",
    "permission-profile",
)  # fmt: skip


def without_hidden(text: str) -> str:
    """Removes control and invisible characters; keeps tabs and newlines."""
    text = text.translate(HIDDEN)
    if text.isascii():
        return text
    if max(text) >= FIRST_UNWRITTEN:
        text = "".join(sign for sign in text if sign < FIRST_UNWRITTEN)
    return text.encode("utf-8", "replace").decode()


def neutral(text: str) -> str:
    """Removes hidden characters, and marks with which a client frames its own text."""
    return without_marks(without_hidden(text))


def without_marks(text: str) -> str:
    """Replaces the brackets of such marks: `‹/system-reminder›` is only text."""
    for opening in OPENINGS:
        if opening in text:
            text = _with_other_brackets(text, opening)
    return text


def quoted(text: str, longest: int = 200) -> str:
    """Quotes foreign text inside a sentence of ours: on one line, between marks that it cannot close."""
    line = " ".join(neutral(text[: 8 * longest]).split()).replace("“", '"').replace("”", '"')
    return f"“{line if len(line) <= longest else line[: longest - 1] + '…'}”"


def framed(source: str, text: str) -> str:
    """Puts foreign lines below a line that names their source, each after a mark."""
    lines = neutral(text).strip("\n").split("\n")
    return "\n".join([f"{source}:", *(f"> {line}".rstrip() for line in lines)])


def _with_other_brackets(text: str, opening: str) -> str:
    first, *rest = text.split(opening)
    pieces, opened = [first], set()
    for piece in rest:
        head = piece[:_LONGEST_NAME]
        inner = head.lstrip(_BEFORE_NAME)
        name = _name(inner)
        closes = "/" in head[: len(head) - len(inner)]
        # An unknown frame can be left by closing a tag that this text has not opened.
        if _is_mark(name, inner) or (closes and "-" in name and name not in opened):
            pieces.append("‹" + _with_end(piece))
        else:
            opened.add(name)
            pieces.append(opening + piece)
    return "".join(pieces)


def _name(inner: str) -> str:
    for place, sign in enumerate(inner):
        if not (sign.isalnum() or sign in ".:" or ord(sign) in _DASHES):
            inner = inner[:place]
            break
    return inner.lower().translate(_DASHES)


def _is_mark(name: str, inner: str) -> bool:
    if name in _NAMES or name.startswith(_BEGINNINGS):
        return True
    # Letters of another alphabet may look the same; `<|im_start|>` separates turns in models.
    return (not name.isascii() and "-" in name) or (inner[:1] == "|" and inner[1:2].isalpha())


def _with_end(piece: str) -> str:
    places = [piece.find(closing, 0, 4 * _LONGEST_NAME) for closing in _CLOSINGS]
    place = min((place for place in places if place >= 0), default=-1)
    return piece if place < 0 else f"{piece[:place]}›{piece[place + 1 :]}"
