"""An entry of the review log, cleaned; the words of a pattern: one definition of the same pattern."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from uuid import uuid4

import msgspec
from snowballstemmer.english_stemmer import EnglishStemmer  # type: ignore[import-untyped]

from lessons.errors import Refused
from lessons.project_state import SEVERITIES, Finding, Origin, OriginType, ReviewEntry
from lessons.redact.texts import redacted_start
from lessons.reviews.review_text import quoted_code

LONGEST_SLUG = 60
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")
# Unifies British and American spellings; a word with only one spelling is changed the same way in every text.
_VARIANTS = ((re.compile(r"is(e|ed|es|er|ers|ing|ation|ations)$"), r"iz\1"), (re.compile(r"our(s?)$"), r"or\1"))
_SHORTEST_VARIANT = 5
# Two spellings of one name may differ in these words; words that reverse a meaning are not included.
_FILLERS = frozenset(
    "a an the in on at of for to from by with and or is are was were be been it its this that when where as".split()
)
# Section names of review logs: headings, not patterns.
_HEADINGS = (
    "action", "action item", "action taken", "after", "analysis", "background", "before", "category", "cause",
    "change", "code", "comment", "commit", "context", "date", "deferred", "description", "detail", "effort", "evidence",
    "example", "expected", "file", "file changed", "file modified", "finding", "fix", "fixed", "fix applied",
    "follow up", "how to fix", "impact", "insight", "issue", "item", "key insight", "key learning", "key takeaway",
    "learning", "lesson", "lesson learned", "line", "link", "location", "mitigation", "new pattern", "next step",
    "note", "observation", "outcome", "pattern", "pattern identified", "pr", "prevention", "preventive measure",
    "priority", "problem", "process", "process improvement", "pull request", "rationale", "reason", "recommendation",
    "reference", "rejected", "related", "remediation", "resolution", "result", "review", "reviewer", "root cause",
    "root cause analysis", "rule", "severity", "solution", "source", "status", "step", "suggestion", "summary",
    "takeaway", "test", "title", "todo", "total", "verification", "what went well", "what went wrong", "why",
    "why it matters",
)  # fmt: skip

_stemmer = EnglishStemmer()


def slug(name: str) -> str:
    """Lower-cases and joins words with hyphens; cuts after a whole word."""
    words = [word.lower() for word in _WORD.findall(_CAMEL.sub(" ", name))]
    text = "-".join(words)
    if len(text) <= LONGEST_SLUG:
        return text
    return text[: LONGEST_SLUG + 1].rpartition("-")[0] or text[:LONGEST_SLUG]


def normal_words(name: str) -> tuple[str, ...]:
    """Returns what the spellings of one pattern have in common, in any order; empty if nothing is left."""
    words = [word.casefold() for word in _WORD.findall(_CAMEL.sub(" ", name))]
    telling = [word for word in words if word not in _FILLERS] or words
    return tuple(sorted({_stem(word) for word in telling}))


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    if len(word) >= _SHORTEST_VARIANT:
        for pattern, spelling in _VARIANTS:
            word = pattern.sub(spelling, word)
    return str(_stemmer.stemWord(word))


def is_heading(name: str) -> bool:
    """Whether a review log or a bot uses these words as the name of a text section."""
    return normal_words(name) in _heading_words()


@lru_cache(maxsize=1)
def _heading_words() -> frozenset[tuple[str, ...]]:
    return frozenset({(), *(normal_words(heading) for heading in _HEADINGS)})


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
    by_source = entry.source_breakdown
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
        source_breakdown=by_source and {_line(name, _LONGEST_TITLE): count for name, count in by_source.items()},
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


def _lines(texts: Sequence[str]) -> list[str]:
    return [line for text in texts[:_MOST_ITEMS] if (line := _line(text, LONGEST_LEARNING))]


def _line(text: str, longest: int) -> str:
    """Returns one line, redacted; cut after a whole word."""
    line = " ".join(redacted_start(text, 4 * longest).split())
    return line if len(line) <= longest else line[: longest + 1].rpartition(" ")[0] or line[:longest]
