"""Lessons in, their manifest and hook index out, and which of them fire on a call, found in three ways."""

from pathlib import Path

from lessons.hook.lookup import matching
from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.model import lesson_from_document
from lessons.promote.publish.build import write_index
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.index import indexed
from lessons.store import json_text, manifest
from lessons.store.hook_index import HookIndex
from lessons.store.manifest import PublishedLesson, compile_source
from tests.builders.lessons import lesson

Entries = dict[str, dict[str, object]]
Fired = set[tuple[str, str]]


def entries_of(*documents: dict[str, object]) -> Entries:
    lessons = [lesson_from_document(document) for document in documents]
    return {each.id: entry_of(each, lambda source, flags: None).entry for each in lessons}


def put(home: Path, entries: Entries) -> str:
    """Manifest and index of these entries, as publishing lays them out."""
    document = {"type": manifest.TYPE, "version": manifest.VERSION, "config": {}, "lessons": entries}
    (home / "lesson-manifest.json").write_text(json_text.encode(document))
    stamp = manifest.stamp(str(home))
    assert stamp is not None
    write_index(str(home), stamp, {"minPriority": 1}, [indexed(*each) for each in entries.items()], ())
    return str(home)


def by_looking_at_all(entries: Entries, call: ToolCall) -> Fired:
    lessons = [PublishedLesson(identifier, entry, compile_source) for identifier, entry in entries.items()]
    return {(each.identifier, why) for each in lessons if (why := why_it_fires(each.rule, call))}


def by_index(home: str, call: ToolCall) -> Fired:
    stamp = manifest.stamp(home)
    assert stamp is not None
    index = HookIndex(home + "/hook-index", stamp)
    lessons = [index.lesson(number) for number in index.possible_matches(call)]
    return {(each.identifier, why) for each in lessons if (why := why_it_fires(each.rule, call))}


def by_hook(home: str, call: ToolCall) -> Fired:
    return {(each.identifier, why) for each, why in matching(home, "PreToolUse", call)[1]}


def command_lesson(slug: str, *patterns: str) -> dict[str, object]:
    return lesson(slug, triggers={"commandPatterns": list(patterns)})
