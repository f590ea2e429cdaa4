"""Finds published lessons by words: what the hook could show in a folder, best match first."""

from collections.abc import Iterator

from lessons.match.rule import in_project
from lessons.promote.similarity import tokens
from lessons.store import manifest
from lessons.store.published import REGEX_KEYS, PublishedLesson, compile_source, projects_of

_TEXTS = ("slug", "summary", "injection", "blockReason")


def active_lessons(home: str, folder: str) -> list[PublishedLesson]:
    """Returns all that act in the folder, most important first; none if nothing is published."""
    found = [_published(*each) for each in _entries(home, folder)]
    return sorted(found, key=lambda lesson: (-lesson.priority, lesson.slug))


def find_lessons(home: str, folder: str, query: str, limit: int) -> list[PublishedLesson]:
    """Returns those that share words with the query; more shared words first, then the more important."""
    wanted = tokens(query)
    scored = []
    for identifier, entry in _entries(home, folder):
        shared = len(wanted & tokens(_text(entry)))
        priority = entry.get("priority")
        if shared:
            scored.append(
                (-shared, -priority if isinstance(priority, int) else 0, str(entry.get("slug")), identifier, entry)
            )
    return [
        _published(identifier, entry) for *_, identifier, entry in sorted(scored, key=lambda each: each[:4])[:limit]
    ]


def _entries(home: str, folder: str) -> Iterator[tuple[str, dict[str, object]]]:
    try:
        _, entries = manifest.read(home)
    except manifest.UnusableManifest:
        return
    for identifier, entry in entries.items():
        if entry.get("stage") != "shadow" and in_project(projects_of(entry), folder):
            yield identifier, entry


def _published(identifier: str, entry: dict[str, object]) -> PublishedLesson:
    return PublishedLesson(identifier, entry, compile_source)


def _text(entry: dict[str, object]) -> str:
    """Returns all searchable text, including patterns, which contain the command."""
    lists = [entry.get(key) for key in ("tags", "toolNames", *REGEX_KEYS)]
    items = [item for values in lists if isinstance(values, list) for item in values]
    return " ".join(map(str, [*(entry.get(key) or "" for key in _TEXTS), *items]))
