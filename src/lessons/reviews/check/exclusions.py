"""A comment that suppresses a lesson on one line; it must give a reason.

`# lessons: ignore SLUG because REASON`, on the line itself or alone on the line above; several slugs separated by
commas.
"""

import re

_COMMENT = re.compile(r"lessons:\s*ignore\s+([\w-]+(?:\s*,\s*[\w-]+)*)(.*)$", re.IGNORECASE)
_ALONE = re.compile(r"^\W*lessons:\s*ignore\b", re.IGNORECASE)
_BEFORE = re.compile(r"[\s:(–—-]*(?:because\b)?[\s:]*", re.IGNORECASE)
_ENDS = ("*/", "-->", "#}", "%>")
_SHORTEST_REASON = 3
MARK = "lessons:"


def reason_for(slug: str, lines: list[str], number: int) -> str | None:
    """Returns the reason at this line (from 1); None if no comment names the lesson, empty if it gives no reason."""
    above = lines[number - 2] if number >= 2 else ""
    for text in (lines[number - 1] if number <= len(lines) else "", above if _ALONE.match(above) else ""):
        found = _COMMENT.search(text)
        if found and slug in [name.strip() for name in found[1].split(",")]:
            reason = _without_signs(found[2])
            return reason if len(reason) >= _SHORTEST_REASON else ""
    return None


def _without_signs(text: str) -> str:
    """Removes the words before the reason, and the end of the comment."""
    text = _BEFORE.sub("", text, count=1).rstrip()
    for end in _ENDS:
        text = text.removesuffix(end)
    return text.rstrip().rstrip(")").strip()
