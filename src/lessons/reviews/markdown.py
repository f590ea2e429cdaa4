"""The lines of a Markdown text without code blocks and comments."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")
_COMMENT_BEGIN, _COMMENT_END = "<!--", "-->"
_ITEM = re.compile(r"^( *)(?:[-*+]|(\d{1,4})[.)])\s+(.*)$")
_BOLD = re.compile(r"^(?:\[[ xX]\]\s+)?(?:\*\*|__)(?=\S)(.+?)(?:\*\*|__)\s*:?\s*(.*)$", re.DOTALL)


class Item(NamedTuple):
    """A line of a list."""

    indent: int
    is_numbered: bool
    text: str


def spoken_lines(text: str) -> Iterator[str]:
    """Yields every line; lines in code blocks and comments are empty, so that line numbers stay the same."""
    text = _without_comments(text)
    fence = ""
    for line in text.replace("\t", "    ").splitlines():
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
            yield ""
        elif mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
            yield ""
        else:
            yield line.rstrip()


def _without_comments(text: str) -> str:
    """Searches the end once per comment: a pattern would do so from each opening, and take hours."""
    parts, position = [], 0
    while (begin := text.find(_COMMENT_BEGIN, position)) >= 0 and (end := text.find(_COMMENT_END, begin)) >= 0:
        parts += [text[position:begin], "\n" * text.count("\n", begin, end)]
        position = end + len(_COMMENT_END)
    return "".join([*parts, text[position:]])


def item_of(line: str) -> Item | None:
    found = _ITEM.match(line)
    return Item(len(found[1]), found[2] is not None, found[3].strip()) if found else None


def bold_lead(text: str) -> tuple[str, str]:
    """Returns the bold words at the start of a text, without a colon, and the rest; no words if there are none."""
    found = _BOLD.match(text.strip())
    return (found[1].strip().rstrip(":.").strip(), found[2].strip(" -–—:")) if found else ("", text.strip())
