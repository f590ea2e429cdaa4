"""Reads the bullets of a CLAUDE.md or AGENTS.md below headings that sound like rules."""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from lessons.errors import NotFound, Refused
from lessons.promote.imports.review import MOST_DRAFTS, Draft, first_sentence, short_name, text_of

_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_RULES = re.compile(
    r"\b(?:rules?|conventions?|lessons?|guidelines?|gotchas?|pitfalls?|never|always|do not|don['’]t|must|remember)\b",
    re.IGNORECASE,
)
_BULLET = re.compile(r"(\s*)(?:[-*+]|\d{1,3}[.)])\s+(.*)")
_FENCE = re.compile(r"\s*(```|~~~)")
_QUOTED_WORDS = 8
_SHORTEST_TEXT = 20
_LONGEST_BULLET = 4000


class Bullet(NamedTuple):
    line: int
    section: str
    text: str


def drafts(path: str, section: str | None = None) -> list[Draft]:
    """Returns drafts of the named section, or of those whose heading sounds like rules."""
    name = os.path.basename(path)
    lines = text_of(path).splitlines()
    headings = [_title(found) for line in _outside_code(lines) if (found := _HEADING.fullmatch(line[1]))]
    if section is not None and not any(_is_named(heading, section) for heading in headings):
        known = ", ".join(short_name(heading) for heading in headings[:8]) or "none"
        raise NotFound(f"{path} has no section {short_name(section)}: its headings are {known}.")
    bullets = _bullets(lines, section)
    made = [_draft(bullet, name) for bullet, _ in zip(bullets, range(MOST_DRAFTS + 1), strict=False)]
    if len(made) > MOST_DRAFTS:
        raise Refused(f"{path} has more than {MOST_DRAFTS:,} such bullets: choose some with --section.")
    return made


def _draft(bullet: Bullet, name: str) -> Draft:
    place = f"line {bullet.line}"
    plain = re.sub(r"[*_]{2,}", "", bullet.text)
    if len(plain) < _SHORTEST_TEXT:
        return Draft(place, short_name(plain), refusal=f"it is too short for a lesson ({len(plain)} characters).")
    if len(plain) > _LONGEST_BULLET:
        return Draft(place, short_name(plain), refusal="it is too long for a lesson: make several bullets of it.")
    summary = first_sentence(plain)
    words = " ".join(plain.split()[:_QUOTED_WORDS]).rstrip(".,;:")
    document: dict[str, object] = {
        "summary": summary if len(summary) >= _SHORTEST_TEXT else short_name(plain),
        "problem": f"“{words}” ({name}, {bullet.section}): easily lost in a long session.",
        "solution": plain,
        "triggers": {"sessionStart": True},
        "confidence": 0.6,
    }
    return Draft(place, short_name(plain), document)


def _bullets(lines: list[str], section: str | None) -> Iterator[Bullet]:
    """Yields the bullets below a chosen heading and its sub-sections; nested bullets belong to their parent."""
    depth, heading, margin = 0, "", 0
    current: Bullet | None = None
    for number, line in _outside_code(lines):
        found = _HEADING.fullmatch(line)
        bullet = _BULLET.fullmatch(line) if depth and not found else None
        starts = bullet is not None and (current is None or len(bullet[1].expandtabs(4)) <= margin)
        if current and (found or starts or not line.strip()):
            yield current
            current = None
        if found:
            level = len(found[1])
            if _is_meant(_title(found), section):
                depth, heading = min(level, depth) if depth else level, _title(found)
            elif level <= depth:
                depth = 0
        elif bullet and starts:
            current, margin = Bullet(number, heading, bullet[2].strip()), len(bullet[1].expandtabs(4))
        elif current and len(current.text) <= _LONGEST_BULLET:
            current = current._replace(text=f"{current.text} {(bullet[2] if bullet else line).strip()}")
    if current:
        yield current


def _title(heading: re.Match[str]) -> str:
    return heading[2].rstrip().rstrip("#").rstrip()


def _is_meant(heading: str, section: str | None) -> bool:
    return _RULES.search(heading) is not None if section is None else _is_named(heading, section)


def _outside_code(lines: list[str]) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(lines, start=1):
        found = _FENCE.match(line)
        if found and (not fence or found[1] == fence):
            fence = "" if fence else found[1]
        elif not fence:
            yield number, line


def _is_named(heading: str, section: str) -> bool:
    return heading.strip().casefold() == section.strip().lstrip("#").strip().casefold()
