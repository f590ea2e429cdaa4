"""Builds a review entry that may be stored: redacted, within its limits."""

import re
from collections.abc import Iterable, Sequence
from uuid import uuid4

import msgspec

from lessons.code_review import SEVERITIES, Finding, Origin, OriginType, ReviewEntry
from lessons.errors import Refused
from lessons.redact.texts import redacted_start
from lessons.reviews.quoted_code import quoted_code
from lessons.reviews.words import is_heading, slug

MOST_LEARNINGS = 7
SHORTEST_LEARNING, LONGEST_LEARNING = 20, 300
_LONGEST_TEXT = 500
_LONGEST_TITLE = 200
_LONGEST_PATH = 4096
_MOST_FINDINGS = 100
_MOST_ITEMS = 10
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def entry_from_json(text: str, file: str = "") -> list[ReviewEntry]:
    """Parses the entries of a JSON document: an object, a list of them, or one per line; raises Refused otherwise.

    An entry without an id is identified by its position in the file, if there is one.
    """
    raw = text.strip()
    try:
        documents = json_documents(raw)
        return [cleaned(_from_document(document, file, number)) for number, document in enumerate(documents, 1)]
    except (msgspec.MsgspecError, RecursionError) as fault:
        raise Refused(f"This is not a review entry ({fault}): give the fields that docs/STATE.md lists.") from None


def _from_document(document: object, file: str, number: int) -> ReviewEntry:
    if isinstance(document, dict):
        name = f"id-{document['id']}" if "id" in document else str(number)
        key = f"json:{file}#{name}" if file or "id" in document else new_key("json")
        document = {"id": 0, "origin": {"type": "json", "file": file, "key": key}, **document}
        if document.get("type") == "retrospective" and document["id"] == 0:
            document["id"] = f"retro-{document.get('pr') or 0}"
    return msgspec.convert(document, ReviewEntry)


def json_documents(text: str) -> list[object]:
    """Returns the items of a list, or one document per line."""
    try:
        found = msgspec.json.decode(text)
    except msgspec.DecodeError:
        found = [msgspec.json.decode(line) for line in text.splitlines() if line.strip()]
    return found if isinstance(found, list) else [found]


def new_key(kind: OriginType) -> str:
    """Creates a key for an entry without a source: unique, whatever numbers two branches assign."""
    return f"{kind}:{uuid4().hex[:16]}"


def cleaned(entry: ReviewEntry) -> ReviewEntry:
    """Redacts and shortens every text, turns patterns into slugs, and fills in derived numbers."""
    findings = [_finding(finding) for finding in entry.findings[:_MOST_FINDINGS]]
    named = [*(_slugs(entry.patterns)), *(finding.pattern for finding in findings)]
    patterns = list(dict.fromkeys(name for name in named if name))
    counted = sum(getattr(entry, severity) for severity in SEVERITIES)
    resolved = entry.fixed + entry.deferred + entry.rejected
    return msgspec.structs.replace(
        entry,
        date=date[0] if (date := _DATE.match(entry.date)) else "",
        title=_line(entry.title, _LONGEST_TITLE),
        source=_line(entry.source, _LONGEST_TITLE) or "manual",
        patterns=patterns,
        findings=[finding for finding in findings if finding.pattern],
        total=max(entry.total, counted, resolved, len(findings), len(patterns))
        if entry.type == "review"
        else entry.total,
        total_items=max(entry.total_items, resolved) if entry.type == "retrospective" else entry.total_items,
        source_breakdown=_counts(entry.source_breakdown),
        learnings=learnings(entry.learnings),
        automation_candidates=_slugs(entry.automation_candidates)[:_MOST_ITEMS],
        skills_to_update=_lines(entry.skills_to_update),
        process_improvements=_lines(entry.process_improvements),
        origin=Origin(
            type=entry.origin.type,
            file=redacted_start(entry.origin.file, _LONGEST_PATH),
            key=redacted_start(entry.origin.key, _LONGEST_PATH),
        ),
    )


def learnings(texts: Iterable[str]) -> list[str]:
    """Returns the first seven that are long enough."""
    lines = (_line(text, LONGEST_LEARNING) for text in texts)
    return list(dict.fromkeys(line for line in lines if len(line) >= SHORTEST_LEARNING))[:MOST_LEARNINGS]


def finding(name: str, text: str = "", path: str = "", line: int | None = None) -> Finding:
    """Adds the code that the reviewer's text quotes as wrong."""
    return Finding(pattern=_slug(name), text=text, path=path, line=line, code=quoted_code(text).wrong)


def _finding(found: Finding) -> Finding:
    return msgspec.structs.replace(
        found,
        pattern="" if is_heading(found.pattern) else _slug(found.pattern),
        text=_line(found.text, _LONGEST_TEXT),
        path=_line(found.path, _LONGEST_TITLE),
        code=[_line(code, _LONGEST_TITLE) for code in found.code[:_MOST_ITEMS]],
    )


def _slugs(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(_slug(name) for name in names if not is_heading(name)))


def _slug(name: str) -> str:
    """Redacts first: a secret cannot be recognised in a slug."""
    return slug(redacted_start(name, _LONGEST_TITLE))


def _counts(numbers: dict[str, int] | None) -> dict[str, int] | None:
    return None if numbers is None else {_line(name, _LONGEST_TITLE): number for name, number in numbers.items()}


def _lines(texts: Sequence[str]) -> list[str]:
    return [line for text in texts[:_MOST_ITEMS] if (line := _line(text, LONGEST_LEARNING))]


def _line(text: str, longest: int) -> str:
    """Returns one line, redacted; cut after a whole word."""
    line = " ".join(redacted_start(text, 4 * longest).split())
    return line if len(line) <= longest else line[: longest + 1].rpartition(" ")[0] or line[:longest]
