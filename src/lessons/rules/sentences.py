"""Markdown in, the sentences that tell an agent what to do or not to do out, each with its line and section."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lessons.rules.files import RuleFile

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MOST_RULES = 1_000
LONGEST_RULE = 600
_SHORTEST_RULE = 8
_MATTER = re.compile(r"\A---[ \t]*\n.*?^---[ \t]*$", re.DOTALL | re.MULTILINE)
# A sentence ends at a full stop before a capital, code, or the end; never inside code.
_END = re.compile(r"(?<=[.!?])[\"')\]]*(?P<gap>\s+)(?=[\"'(\[]?[A-Z`])")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx)\.\Z", re.IGNORECASE)
_LABEL = re.compile(r"(?:(?:[A-Z][\w/&' -]{0,40}|`[^`]{1,40}`)[:：]\s+|[^\w`\"'(]+)(?=\S)")

_IMPERATIVES = (
    "add always annotate ask assume avoid call check choose commit create declare define delete document ensure export"
    " expose extract fix follow format generate handle implement import include install keep leave limit list log make"
    " mark name never omit only pass place prefer preserve push put read refer remember remove rename replace respect"
    " return review run separate set split stick store test treat try update use validate verify wait wrap write"
).split()
_STARTS = re.compile(
    rf"(?:please |then )?(?:{'|'.join(_IMPERATIVES)}|do not|don['’]t|do|no)\b(?! (?:is|are|was)\b)", re.IGNORECASE
)
_TELLS = re.compile(
    r"\b(?:must(?: not|n['’]t)?|never|always|do not|don['’]t|should(?: not|n['’]t)?|avoid|prefer|required?|requires"
    r"|forbidden|prohibited|not allowed|instead of|rather than|make sure|ensure|mandatory|only (?:use|run|edit))\b",
    re.IGNORECASE,
)
# A heading or an introduction that says of everything below it that it must not be done.
_NEGATIVE = re.compile(
    r"(?:.*\b(?:never|do not|don['’]?ts?|what not to do|forbidden|prohibited|not allowed)"
    r"(?: do| use| run| edit| commit)?(?: this| these| any of these| the following)?|avoid(?: these| this)?)\W*",
    re.IGNORECASE,
)
_VERB = re.compile(r"\b(edit|modify|touch|change|commit|run|use|read)\b", re.IGNORECASE)
_OWN_TELLING = re.compile(r"\b(?:never|do not|don['’]t|must|always|avoid|no|instead)\b", re.IGNORECASE)


class Written(NamedTuple):
    """One rule as somebody wrote it: its text has code in backticks and no other marks of Markdown."""

    file: RuleFile
    line: int
    section: str
    text: str

    @property
    def id(self) -> str:
        """The same as long as file and sentence are the same, wherever in the file it stands."""
        return hashlib.sha256(f"{self.file.path}\n{self.text}".encode()).hexdigest()[:12]


class _Block(NamedTuple):
    """A paragraph or the text of a list item; `introduction` is what the list stands below."""

    line: int
    section: str
    text: str
    introduction: str
    is_item: bool


def written_rules(files: Sequence[RuleFile]) -> list[Written]:
    """Returns the rules of all files in their order; a sentence that several files repeat counts once a project."""
    found: dict[tuple[str, str], Written] = {}
    for file in files:
        for rule in _rules_of(file):
            found.setdefault((file.project, rule.text.casefold()), rule)
            if len(found) >= MOST_RULES:
                return list(found.values())
    return list(found.values())


def _rules_of(file: RuleFile) -> Iterator[Written]:
    for block in _blocks(file.text):
        for text in sentences(block.text):
            text = _without_label(text)
            if _NEGATIVE.fullmatch(block.introduction or block.section) and block.is_item:
                text = _as_prohibition(text, block.introduction or block.section)
            if _SHORTEST_RULE <= len(text) <= LONGEST_RULE and _is_rule(text):
                yield Written(file, block.line, block.section, text)


def _is_rule(text: str) -> bool:
    return not text.endswith(("?", ":")) and bool(_STARTS.match(text) or _TELLS.search(text))


def _without_label(text: str) -> str:
    """Removes `Testing: ` and signs before a sentence, as long as a sentence is left."""
    for _ in range(3):
        found = _LABEL.match(text)
        if not found or len(text) - found.end() < _SHORTEST_RULE or _OWN_TELLING.match(found[0]):
            break
        text = text[found.end() :]
    return text


def _as_prohibition(text: str, introduction: str) -> str:
    if _OWN_TELLING.search(_CODE.sub("", text)) or re.match(r"`[^`]+` (?:is|are|has)\b", text):
        return text
    verb = _VERB.search(introduction)
    starts_with_verb = _VERB.match(text) or re.match(r"[A-Z][a-z]+ ", text)
    return (
        f"Never {text[0].lower()}{text[1:]}"
        if starts_with_verb
        else f"Never {verb[1].lower() if verb else 'use'} {text}"
    )


def sentences(text: str) -> list[str]:
    """Returns the sentences of a paragraph; code is never split."""
    spans = [found.span() for found in _CODE.finditer(text)]
    parts, start = [], 0
    for found in _END.finditer(text):
        is_in_code = any(begin < found.start() < end for begin, end in spans)
        if not is_in_code and not _ABBREVIATION.search(text[: found.start()]):
            parts.append(text[start : found.start("gap")])
            start = found.end()
    return [" ".join(part.split()) for part in (*parts, text[start:]) if part.strip()]


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")


def _blocks(text: str) -> Iterator[_Block]:
    matter = _MATTER.match(text)  # of .cursor/rules: settings, no text
    above = matter[0].count("\n") if matter else 0
    tokens = _parser().parse(text[matter.end() :] if matter else text)
    section, introduction, depth = "", "", 0
    for before, token in pairwise(tokens):
        if token.type == "bullet_list_open" or token.type == "ordered_list_open":
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
            introduction = introduction if depth else ""
        elif token.type == "inline" and before.type == "heading_open":
            section, introduction = _text_of(token), ""
        elif token.type == "inline" and before.type == "paragraph_open":
            words = _text_of(token)
            if not depth:
                introduction = words if words.endswith(":") else ""
            line = above + (token.map[0] if token.map else 0) + 1
            yield _Block(line, section, words, introduction if depth else "", depth > 0)


def _text_of(inline: "Token") -> str:
    parts = []
    for token in inline.children or ():
        if token.type == "code_inline":
            parts.append(f"`{token.content}`" if "`" not in token.content else token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type == "text":
            parts.append(token.content)
    return "".join(parts).strip()
