"""The text of a review: its lines without code blocks, its items, and the code that it quotes."""

import re
from typing import NamedTuple

from markdown_it import MarkdownIt

_BLOCKS = MarkdownIt("zero").enable("fence")
_COMMENT_BEGIN, _COMMENT_END = "<!--", "-->"
_ITEM = re.compile(r"^( *)(?:[-*+]|(\d{1,4})[.)])\s+(.*)$")
_BOLD = re.compile(r"^(?:\[[ xX]\]\s+)?(?:\*\*|__)(?=\S)(.+?)(?:\*\*|__)\s*:?\s*(.*)$", re.DOTALL)


class Item(NamedTuple):
    """A line of a list."""

    indent: int
    is_numbered: bool
    text: str


def spoken_lines(text: str) -> list[str]:
    """Returns every line; lines in code blocks and comments are empty, so that line numbers stay the same."""
    lines = [line.rstrip() for line in _without_comments(text).replace("\t", "    ").splitlines()]
    for token in _BLOCKS.parse("\n".join(lines)):
        if token.type == "fence" and token.map:
            begin, end = token.map
            lines[begin:end] = [""] * (end - begin)
    return lines


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


_QUOTED = re.compile(r"(?<!`)`([^`\n]{2,120})`(?!`)")
_RECOMMENDED = re.compile(
    r"(?:\b(?:use|using|prefer|with|by|to|call|add|try|need|needs|want|want a|via|in favou?r of|should be)|→|->)"
    r"\s*(?:the\s+|an?\s+)?$",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"\b(?:instead of|rather than|over|not|never|avoid|replace|replacing|remove|drop|no|from)"
    r"\s*(?:the\s+|an?\s+|any\s+)?$"
    r"|\b(?:don'?t|do not|never|not|stop|avoid)\s+(?:to\s+)?(?:use|using|call|calling)\s*(?:the\s+|an?\s+)?$",
    re.IGNORECASE,
)
# Words that say something is not done with the code, rather than that the code is present.
_LACKS = re.compile(
    r"\b(?:missing|misses|lacks?|without|needs?|validat\w*|saniti[sz]\w*|checks?|checked|tests?|tested|clos(?:e|ed|es|ing)"
    r"|handle[sd]?|document(?:ed|ation)?|(?:must|should) be (?!avoided|deleted|dropped|removed|replaced))\b",
    re.IGNORECASE,
)
_PATH = re.compile(
    r"^@?[\w./-]*[\w-]+\.[A-Za-z][\w]{0,5}(?::\d+(?:-\d+)?)?$|^[\w.-]+(?:/[\w.-]+)+/?(?::\d+(?:-\d+)?)?$"
)
_CODE = re.compile(r"[^\w\s-]|[a-z][A-Z]|\w_\w")
_ARGUMENTS = re.compile(r"\([^()]*\)$")
_SHORTEST_KEY = 4
_EXTENSIONS = frozenset(
    """
    c cc cfg cpp cs css go h html ini java js json jsx kt lock lua md php pl py rb rs rst scss sh sql svelte swift
    toml ts tsx txt vue xml yaml yml
    """.split()
)


class Quoted(NamedTuple):
    """In text order."""

    wrong: list[str]
    recommended: list[str]


def quoted_code(text: str) -> Quoted:
    """Returns code in backticks; code neither called wrong nor recommended counts as the subject of the finding."""
    found = Quoted([], [])
    for match in _QUOTED.finditer(text):
        code, before = " ".join(match[1].split()), _before(text, match)
        if not _CODE.search(code) or is_path(code) or len(key_of(code)) < _SHORTEST_KEY:
            continue
        recommended = not _WRONG.search(before) and bool(_RECOMMENDED.search(before))
        (found.recommended if recommended else found.wrong).append(code)
    return found


def forbidden_code(text: str) -> list[str]:
    """Returns code that should not be written at all: called wrong, or named in a text that misses nothing else."""
    wrong = quoted_code(text).wrong
    if not _LACKS.search(_QUOTED.sub("", text)):
        return wrong
    return [code for code in blamed_code(text) if code in wrong]


def blamed_code(text: str) -> list[str]:
    """Returns the code that the words before it call wrong."""
    return [" ".join(match[1].split()) for match in _QUOTED.finditer(text) if _WRONG.search(_before(text, match))]


def _before(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - 40) : match.start()]


def is_path(text: str) -> bool:
    """Whether it names a file rather than code; `module.name` could be either and counts as code."""
    if not _PATH.match(text):
        return False
    return "/" in text or ":" in text or text.rpartition(".")[2].lower() in _EXTENSIONS


def key_of(code: str) -> str:
    """Returns the code without the arguments of its last call, so that `f(a)` and `f()` are equal."""
    return _ARGUMENTS.sub("", code).strip()
