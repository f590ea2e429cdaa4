"""Review entries from a file: a Markdown log, output of gh, or JSON."""

import codecs
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator

import msgspec

from lessons.errors import NotFound, Refused
from lessons.project_state import RESOLUTIONS, SEVERITIES, Finding, Origin, ReviewEntry
from lessons.redact.texts import redacted
from lessons.reviews.entry import cleaned, entry_from_json, finding, is_heading, normal_words
from lessons.reviews.github_comments import github_entries, looks_like
from lessons.reviews.review_text import Item, bold_lead, item_of, spoken_lines

_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*)$")
_REVIEW = re.compile(r"^\W*review\s*#\s*(\d{1,9})\b\s*[:.\-–—]*\s*(.*)$", re.IGNORECASE)
_RETRO = re.compile(r"^\W*(?:pr\s*#?\s*(\d{1,9})\s*[:\-–—]*\s*)?retro(?:spective)?\b(.*)$", re.IGNORECASE)
_DATE = re.compile(r"\(?\b(\d{4}-\d\d-\d\d)\b\)?")
_PULL_REQUEST = re.compile(r"\(?\b(?:PR|pull request|pull)\s*[#/]?\s*(\d{1,9})\b\)?", re.IGNORECASE)
_NUMBER = re.compile(r"#?(\d{1,9})\b")
_FIELD = re.compile(r"^[\s>*_-]*([A-Za-z][A-Za-z /]{1,30}?)[*_\s]*:[*_\s]*(.*)$")
_COUNTED = re.compile(r"(\d{1,6})\s*(?:x\s*)?([A-Za-z]+)")
_SOURCE_COUNT = re.compile(r"^(.*?)\s*\((\d{1,6})\)$")
# It begins where a path does: tried again at each character of a long word, it would take quadratic time.
_PLACE = re.compile(r"(?<![\w.-])(?<![\w.-]/)((?:[\w.-]+/)*[\w.-]+\.[A-Za-z]\w{0,5})(?::(\d{1,6}))?")
_LONGEST_LINE = 2_000  # a text in the log is far shorter; longer lines could make patterns slow
_SECTIONS = {
    "pattern": "patterns",
    "patterns identified": "patterns",
    "new patterns": "patterns",
    "recurring patterns": "patterns",
    "patterns found": "patterns",
    "findings": "patterns",
    "learnings": "learnings",
    "key learnings": "learnings",
    "lessons learned": "learnings",
    "key takeaways": "learnings",
    "automation candidates": "automation_candidates",
    "skills to update": "skills_to_update",
    "process improvements": "process_improvements",
}
_BY_WORDS = {normal_words(label): section for label, section in _SECTIONS.items()}
_NUMBERS = {
    **{name: name for name in (*SEVERITIES, *RESOLUTIONS, "total", "rounds")},
    "total items": "total_items",
    "items": "total_items",
    "churn chains": "churn_chains",
}
_DIRECTLY = ""  # in the entry, below none of its headings


def markdown_entries(text: str, file: str = "") -> list[ReviewEntry]:
    """Returns entries in the order of the log; a repeated entry counts once."""
    found: dict[bytes, ReviewEntry] = {}
    times: Counter[str] = Counter()
    for entry in _entries(text, file):
        content = msgspec.json.encode(entry)
        if content in found:
            continue
        key = entry.origin.key
        times[key] += 1
        if times[key] > 1:  # another review with the same number
            entry.origin = msgspec.structs.replace(entry.origin, key=f"{key}-{times[key]}")
        found[content] = entry
    return list(found.values())


def _entries(text: str, file: str) -> Iterator[ReviewEntry]:
    reader: _Reader | None = None
    for whole_line in spoken_lines(text):
        line = whole_line[:_LONGEST_LINE]
        heading = _HEADING.match(line)
        title = heading[2].rstrip().rstrip("#").rstrip() if heading else ""
        if heading and (begun := _begun(title, file)):
            if reader:
                yield reader.finished()
            reader = _Reader(begun, len(heading[1]))
        elif heading and reader and len(heading[1]) <= reader.level:
            yield reader.finished()
            reader = None
        elif reader and heading:
            reader.section(title)
        elif reader:
            reader.line(line)
    if reader:
        yield reader.finished()


def _begun(heading: str, file: str) -> ReviewEntry | None:
    plain = heading.replace("**", "").replace("__", "")
    date, pull_request = _DATE.search(plain), _PULL_REQUEST.search(plain)
    pr = int(pull_request[1]) if pull_request else None
    if review := _REVIEW.match(plain):
        title = _DATE.sub("", _PULL_REQUEST.sub("", review[2])).strip(" ,;:()-–—")
        origin = Origin(type="markdown", file=file, key=f"markdown:{file}#review-{review[1]}")
        return ReviewEntry(id=int(review[1]), title=title, date=date[1] if date else "", pr=pr, origin=origin)
    retro = _RETRO.match(plain)
    if retro is None:
        return None
    pr = int(retro[1]) if retro[1] else pr
    if pr is None:
        return None  # a text about retrospectives, not one of a pull request
    origin = Origin(type="markdown", file=file, key=f"markdown:{file}#retro-{pr}")
    return ReviewEntry(id=f"retro-{pr}", type="retrospective", date=date[1] if date else "", pr=pr, origin=origin)


class _Reader:
    """Collects the lines of one entry."""

    def __init__(self, entry: ReviewEntry, level: int) -> None:
        self.level = level
        self._entry = entry
        self._section = _DIRECTLY
        self._found: list[tuple[str, list[str]]] = []  # patterns, each with the lines about it
        self._lists: dict[str, list[str]] = {name: [] for name in set(_SECTIONS.values()) - {"patterns"}}
        self._in_pattern = False

    def section(self, label: str) -> None:
        label = label.strip().strip("*_").strip().rstrip(":")
        self._section = _BY_WORDS.get(normal_words(label), "other" if label else _DIRECTLY)
        self._in_pattern = False

    def line(self, line: str) -> None:
        item = item_of(line)
        if item is None:
            self._text(line)
        elif item.indent >= 2:
            self._tell(item.text)
        else:
            self._item(item)

    def _text(self, line: str) -> None:
        if not line.strip():
            return
        if line.startswith("  ") and self._in_pattern:
            self._tell(line)
            return
        name, rest = bold_lead(line)
        if not self._fields(line) and name and not rest:
            self.section(name)
        elif not name and line.rstrip().endswith(":") and _BY_WORDS.get(normal_words(line)):
            self.section(line)

    def _fields(self, line: str) -> bool:
        """Whether the line has named values, possibly several between bars."""
        parts = [_FIELD.match(part) for part in re.split(r"\s[|·]\s", line.strip().strip("|"))]
        are_fields = [bool(part and self._field(part[1].strip().lower(), part[2].strip())) for part in parts]
        return any(are_fields)

    def _field(self, name: str, value: str) -> bool:
        entry, number = self._entry, _NUMBER.match(value)
        if name == "date":
            entry.date = (_DATE.search(value) or ["", entry.date])[1]
        elif name in ("pr", "pr/branch", "pull request"):
            entry.pr = (
                int(number[1]) if number else int(found[1]) if (found := _PULL_REQUEST.search(value)) else entry.pr
            )
        elif name in ("source", "sources", "tool", "reviewer", "reviewers"):
            self._sources(value)
        elif name in _NUMBERS and number:
            setattr(entry, _NUMBERS[name], int(number[1]))
        elif name in ("severity", "resolution", "items", "issues", "results") and _COUNTED.search(value):
            for count, what in _COUNTED.findall(value):
                if what.lower() in (*SEVERITIES, *RESOLUTIONS):
                    setattr(entry, what.lower(), int(count))
        elif _BY_WORDS.get(normal_words(name)) == "patterns" and value:
            self._found += [(part.strip(" `*"), []) for part in value.split(",") if part.strip(" `*")]
        else:
            return False
        return True

    def _sources(self, value: str) -> None:
        # Redact before lower-casing: afterwards some secrets are not recognisable.
        parts = [part.strip(" *_`") for part in re.split(r"[,+/&]", redacted(value)) if part.strip(" *_`")]
        counted = [_SOURCE_COUNT.match(part) for part in parts]
        names = [found[1] if found else part for found, part in zip(counted, parts, strict=True)]
        self._entry.source = "+".join(name.lower() for name in names) or self._entry.source
        breakdown = {found[1].lower(): int(found[2]) for found in counted if found}
        self._entry.source_breakdown = breakdown or None

    def _item(self, item: Item) -> None:
        self._in_pattern = False
        name, rest = bold_lead(item.text)
        if self._section in self._lists:
            self._lists[self._section].append(item.text.replace("**", ""))
        elif self._section == _DIRECTLY and self._fields(item.text):
            return
        elif self._section == "patterns" or (self._section == _DIRECTLY and item.is_numbered and name):
            self._pattern(name or _name_of(rest), item.text)

    def _pattern(self, name: str, text: str) -> None:
        if not is_heading(name):
            self._found.append((name, [text.replace("**", "")]))
            self._in_pattern = True

    def _tell(self, text: str) -> None:
        """A line below an item adds to its pattern, or continues its text."""
        if self._in_pattern:
            self._found[-1][1].append(text.strip().replace("**", ""))

    def finished(self) -> ReviewEntry:
        entry = self._entry
        names = [name for name, _ in self._found]
        lists = {name: items for name, items in self._lists.items() if items}
        if entry.type == "retrospective":
            lists.setdefault("automation_candidates", []).extend(names)
            lists["automation_candidates"] = [_name_of(text) for text in lists["automation_candidates"]]
            return cleaned(msgspec.structs.replace(entry, **lists))
        findings = [_finding(name, " ".join(lines)) for name, lines in self._found]
        return cleaned(msgspec.structs.replace(entry, learnings=lists.get("learnings", []), findings=findings))


def _name_of(text: str) -> str:
    return re.split(r":\s| - | – | — |\. ", text)[0].rstrip(":.")


def _finding(name: str, text: str) -> Finding:
    place = next((found for found in _PLACE.finditer(text) if "/" in found[1] or found[2]), None)
    return finding(name, text, place[1] if place else "", int(place[2]) if place and place[2] else None)


_MOST_BYTES = 64 * 1024 * 1024
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def read_source(root: str, path: str, pull_request: int | None = None) -> list[ReviewEntry]:
    """Raises Refused with a sentence if the file has no reviews."""
    file = relative_to(root, path)
    try:
        with open(os.path.join(root, file), "rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                file = ""  # a pipe cannot be read again
    except FileNotFoundError:
        raise NotFound(f"No file {path}: give a review log or saved output of `gh pr view`.") from None
    except OSError as fault:
        raise Refused(f"{path} cannot be read: {fault.strerror}.") from None
    if len(content) > _MOST_BYTES:
        raise Refused(f"{path} is larger than {_MOST_BYTES // 1024 // 1024} MB: too large for a review log.")
    return entries_of(text_of(content), file, pull_request)


def text_of(content: bytes) -> str:
    """Decodes UTF-8, or by its byte order mark: the Windows shell saves output as UTF-16."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace")
    return content.decode("utf-8", "replace")


def entries_of(text: str, file: str = "", pull_request: int | None = None) -> list[ReviewEntry]:
    """Detects the format of the text: JSON starts with a bracket."""
    if looks_like(text):
        return github_entries(text, file, pull_request)
    if text.lstrip()[:1] in ("{", "["):
        return entry_from_json(text, file)
    return markdown_entries(text, file)


def relative_to(root: str, path: str) -> str:
    """Returns the path relative to the root, with forward slashes; absolute if outside the project."""
    whole = os.path.abspath(path)
    relative = os.path.relpath(whole, root)
    return whole if relative.startswith("..") else relative.replace(os.sep, "/")
