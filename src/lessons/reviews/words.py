"""The slug and the normalised words of a pattern: one definition of "the same pattern"."""

import re
from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer  # type: ignore[import-untyped]

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
