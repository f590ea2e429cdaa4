"""Extracts the findings from a review comment.

A finding has a title in bold (bots, and careful people); otherwise it is a paragraph or item that quotes code or asks
for a change. Summaries, praise, questions to bots and reports are not findings.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lessons.code_review import Finding
from lessons.reviews.entry import finding
from lessons.reviews.markdown import bold_lead, item_of, spoken_lines
from lessons.reviews.quoted_code import is_path, key_of, quoted_code
from lessons.reviews.reviewers import Reviewer
from lessons.reviews.words import is_heading

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
# Each has a short limit: a comment with many openings would otherwise take minutes.
_SUMMARY = re.compile(r"<summary>(.{0,500}?)</summary>", re.IGNORECASE | re.DOTALL)
_STRONG = re.compile(r"</?(?:strong|b)>", re.IGNORECASE)
_IMAGE = re.compile(r"!\[([^\]]{0,500})\]\([^)]{0,1000}\)")
_LINK = re.compile(r"\[([^\]]{0,500})\]\([^)]{0,1000}\)")
_LINE_RANGE = re.compile(r"^`?(?:L(?:ine)?s?\s*)?(\d{1,6})(?:\s*-\s*L?\d{1,6})?`?\s*:\s*", re.IGNORECASE)
_FILE = re.compile(
    r"^[`*\s]*@?((?:[\w.@-]+/)*[\w.-]+\.[A-Za-z]\w{0,5})[`*]*(?::(\d{1,6})(?:-\d+)?)?[`*\s]*(?:\(\d+\))?:?$"
)
_AT = re.compile(r"`@?((?:[\w.-]+/)+[\w.-]+\.\w{1,6})(?::(\d{1,6}))?(?:-\d+)?`")
_SEVERITY = {
    "critical": ("critical", "🔴", "blocker", "p0", "security-high"),
    "major": ("major", "🟠", "high", "potential issue", "p1", "⚠️"),
    "minor": ("minor", "🟡", "medium", "p2", "refactor suggestion", "🛠️"),
    "trivial": ("trivial", "🔵", "nitpick", "🧹", "low", "nit:", "p3"),
}
# Bold texts and openings of review bots that are not findings.
_PARTS_OF_REPORTS = re.compile(
    r"^\W*(?:actionable comments?|comments? suppressed|walkthrough|summary|changes?|caution|note|tip|info"
    r"|review details"
    r"|pull request overview|pr overview|pr reviewer guide|estimated effort|committable suggestion|proposed fix"
    r"|suggested (?:fix|change)|prompt for ai|analysis chain|quality gate|files? (?:selected|processed|ignored|changed)"
    r"|configuration|learnings used|additional comments?|outside diff|duplicate comments?|nitpick comments?"
    r"|passed checks"
    r"|failed checks|thank|recommended focus|importance|suggestion importance|possible (?:issue|bug)s?$|code feedback"
    r"|no (?:security|relevant|major)|reviewed commit|code review$|\d+ new issues?|security hotspots?)",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"^\W*(?:lgtm|looks? (?:good|great|fine)|thanks?|thank you|ship it|nice|great|good (?:catch|point|work|idea)"
    r"|done|fixed"
    r"|ack|approved?|ok(?:ay)?|will do|sounds good|agreed?|yes|no|sure|ping|bump|rebased|awesome|perfect|👍|🎉|\+1)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:should|must|please|avoid|never|don'?t|do not|instead|rather than|missing|forgot|need(?:s|ed)?|use|prefer"
    r"|remove"
    r"|replace|rename|add|handle|check|wrong|bug|leak|race|unused|unsafe|deprecated|breaks?|fails?|why not|nit)\b",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"^\s*(?:/[a-z][\w-]*|@[\w-]+\s+(?:review|resume|pause|resolve|summary|help|full review))\b")
_LEAST_WORDS = 4


class Located(NamedTuple):
    """A finding, and the severity its author gives it."""

    finding: Finding
    severity: str  # empty: unknown


class _Block(NamedTuple):
    """A paragraph or item, with the file and severity above it."""

    text: str
    path: str
    heading: str


def findings_in(body: str, reviewer: Reviewer, path: str = "", line: int | None = None) -> list[Located]:
    """Returns the findings in order; `path` and `line` if the comment is at a place in the code."""
    found: list[Located] = []
    has_title = False  # a bot's title just above: what follows explains it
    for block in _blocks(_without_quotations(body) if reviewer == "person" else body, path):
        if located := _titled(block, line) or (_plain(block, line) if reviewer == "person" else None):
            found.append(located)
        elif has_title and not _PARTS_OF_REPORTS.match(block.text):
            found[-1] = _explained(found[-1], block.text)
        has_title = located is not None and reviewer != "person"
    return found


def _explained(located: Located, text: str) -> Located:
    """Adds the paragraph below the title, and the place and code that it names."""
    before, words = located.finding, f"{located.finding.text}. {text}"
    return located._replace(finding=finding(before.pattern, words, *_place(before.path, before.line, words)))


def _place(path: str, line: int | None, text: str) -> tuple[str, int | None]:
    """Returns file and line, else those that the text names in backticks."""
    at = None if path else _AT.search(text)
    if at is None:
        return path, line
    return at[1], int(at[2]) if at[2] and line is None else line


def _without_quotations(body: str) -> str:
    """Removes a person's quotations: they are counted where they were written. Bots indent their own text this way."""
    return "\n".join("" if line.lstrip().startswith(">") else line for line in body.splitlines())


def _blocks(body: str, path: str) -> Iterator[_Block]:
    """Yields paragraphs and items; a summary or a line that names a file applies to what follows."""
    body = _SUMMARY.sub(lambda summary: f"\n\n{' '.join(summary[1].split())}\n\n", _STRONG.sub("**", body))
    here, heading, lines = path, "", list[str]()
    for raw in [*spoken_lines(body), ""]:
        line = _LINK.sub(r"\1", _IMAGE.sub(r"\1 ", _TAG.sub("", raw))).lstrip("> ").rstrip()
        item = item_of(line)
        if (not line or (item and item.indent < 2) or line.startswith("#")) and lines:
            yield _Block(" ".join(lines), here, heading)
            heading = _heading_after(" ".join(lines), heading)
            lines = []
        if found := _FILE.match(item.text if item else line):
            here = found[1]
        elif line.startswith("#"):
            heading = line.strip("# ")
        elif line:
            lines.append(item.text if item else line.strip())


def _heading_after(text: str, before: str) -> str:
    """Returns a short line about severity as heading for the blocks after it."""
    return text if len(text) < 80 and not bold_lead(text)[0] and _severity(text) else before


def _titled(block: _Block, line: int | None) -> Located | None:
    text = block.text
    if place := _LINE_RANGE.match(text):
        line, text = int(place[1]), text[place.end() :]
    marks = re.match(r"^(?:_[^_]{1,40}_[\s|]*)+", text)
    severity = _severity(marks[0]) if marks else ""
    title, rest = bold_lead(text[marks.end() :] if marks else text)
    named = _FILE.match(title)
    if not title or named or is_heading(title) or _PARTS_OF_REPORTS.match(title) or len(title.split()) < 2:
        return None
    words = f"{title}. {rest}".strip() if rest else title
    severity = severity or _severity(block.heading) or _severity(title)
    return Located(finding(_without_code(title), words, *_place(block.path, line, words)), severity)


def _plain(block: _Block, line: int | None) -> Located | None:
    """For a person: names a finding after the code it calls wrong, else after its first sentence."""
    text = block.text
    if _COURTESY.match(text) or _COMMAND.match(text) or len(text.split()) < _LEAST_WORDS:
        return None
    quoted = quoted_code(text)
    if not quoted.wrong and not quoted.recommended and not _ASKS.search(text):
        return None
    if text.rstrip().endswith("?") and not quoted.wrong and not quoted.recommended:
        return None
    sentence = re.split(r"(?<=[a-z)`])[.!?](?:\s|$)", text)[0]
    name = key_of(quoted.wrong[0]) if quoted.wrong else sentence
    return Located(finding(name, text, *_place(block.path, line, text)), _severity(text[:12]))


def _without_code(title: str) -> str:
    """Removes backticks and paths; a title of nothing but code keeps it."""
    plain = re.sub(r"`([^`]*)`", lambda code: "" if is_path(code[1]) else code[1], title)
    return plain.strip() or title


def _severity(text: str) -> str:
    lowered = text.lower()
    words = set(re.findall(r"[a-z0-9]+", lowered))
    for severity, marks in _SEVERITY.items():
        if any(mark in words if mark.isalnum() and mark.isascii() else mark in lowered for mark in marks):
            return severity
    return ""
