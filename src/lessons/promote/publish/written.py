"""Writes the results of a build: the manifest, its hook index, and `compiled-lessons`."""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import BinaryIO

from msgspec.structs import replace

from lessons import paths
from lessons.config import Config
from lessons.promote.publish import parts
from lessons.promote.publish.assemble import Assembly
from lessons.promote.publish.compile import New, compiled_of, of_entry
from lessons.promote.publish.index_file import Packed, pack
from lessons.promote.publish.index_keys import Entry, count_grams, keys_among
from lessons.promote.publish.parts import Part
from lessons.store import compiled_lessons, json_text, manifest
from lessons.store.compiled_lessons import Compiled, Row, Stored
from lessons.store.consent import patterns_of

Stamp = tuple[int, int]


def write_made(
    home: str, config: Config, made: Assembly, stored: Stored | None, now: str, sources: tuple[Stamp, ...]
) -> None:
    """The manifest, then the index that belongs to it, then what the next build needs not make again.

    Between them the hook reads the manifest, and a build that is killed leaves files of which the next one uses none.
    """
    frequency = stored.frequency if stored else {}
    compiled = _Included([(each.compiled, made.new.get(each.digest)) for each in made.included if each.compiled])
    compiled.choose_keys(frequency)
    settings = settings_of(config)
    opening = _opening(settings, now)
    with ExitStack() as opened:
        manifest_before = _opened(opened, paths.manifest_file(home), stored)
        index_before = _opened(opened, paths.hook_index_file(home), stored)
        check = _write_manifest(home, opening, compiled, manifest_before)
        packed = compiled.packed(_stamp(home), settings, sources)
        index_check = _write_index(home, packed, compiled, index_before)
    compiled.note_places(len(opening), packed)
    compiled_lessons.write(home, _rows(made), frequency, sources, (check, index_check))


def _rows(made: Assembly) -> list[Row]:
    """What was made of a lesson that is left out now stands nowhere: it is made again when it is needed."""
    included = {row.digest for row in made.included}
    return [
        row if row.digest in included or not row.compiled or row.compiled.reason else replace(row, compiled=None)
        for row in made.usable
    ]


def write_lessons(
    home: str, config: Config, lessons: dict[str, Entry], now: str, sources: tuple[Stamp, ...] = ()
) -> None:
    """Entries that are there already, as the only lessons of the home."""
    settings, included = settings_of(config), _fresh(lessons)
    _write_manifest(home, _opening(settings, now), included, None)
    _write_index(home, included.packed(_stamp(home), settings, sources), included, None)


def write_index(
    home: str, stamp: Stamp, settings: dict[str, object], lessons: dict[str, Entry], sources: tuple[Stamp, ...]
) -> None:
    """The index of a manifest that stays as it is."""
    included = _fresh(lessons)
    _write_index(home, included.packed(stamp, settings, sources), included, None)


def index_of(
    stamp: Stamp, settings: dict[str, object], lessons: dict[str, Entry], sources: tuple[Stamp, ...] = ()
) -> bytes:
    """The bytes of such an index."""
    included = _fresh(lessons)
    return b"".join(_index_chunks(included.packed(stamp, settings, sources), included, None))


class _Included:
    """The lessons of the manifest: what is noted of each, and what is new."""

    def __init__(self, lessons: list[tuple[Compiled, New | None]]) -> None:
        self.lessons = lessons

    def choose_keys(self, frequency: dict[int, int]) -> None:
        """The grams by which the index finds each new lesson; those of the build before will do as well as any."""
        new = [(compiled, new.entry) for compiled, new in self.lessons if new]
        for _, entry in new:
            count_grams(entry, frequency)
        for compiled, entry in new:
            found = keys_among(entry, frequency)
            compiled.keys = {kind: None if grams is None else tuple(sorted(grams)) for kind, grams in found.items()}

    def texts(self) -> Iterator[Part]:
        for compiled, new in self.lessons:
            yield (new.text, 0, 0) if new else (b"", compiled.entry_at, compiled.entry_length)

    def records(self) -> Iterator[Part]:
        for compiled, new in self.lessons:
            yield (new.record, 0, 0) if new else (b"", compiled.record_at, compiled.record_length)

    def packed(self, stamp: Stamp, settings: dict[str, object], sources: tuple[Stamp, ...]) -> Packed:
        records = [(compiled.record_length, compiled.record_check) for compiled, _ in self.lessons]
        starts = [number for number, (compiled, _) in enumerate(self.lessons) if compiled.session_start]
        return pack(stamp, settings, records, [compiled.keys for compiled, _ in self.lessons], starts, sources)

    def note_places(self, start: int, packed: Packed) -> None:
        """Where the texts and records stand now, for the next build."""
        for (compiled, _), place in zip(self.lessons, packed.places, strict=True):
            compiled.entry_at, compiled.record_at = start, place
            start += compiled.entry_length + 1


def _fresh(lessons: dict[str, Entry]) -> _Included:
    new = [of_entry(identifier, entry) for identifier, entry in lessons.items()]
    included = _Included([(compiled_of(each), each) for each in new])
    included.choose_keys({})
    return included


def settings_of(config: Config) -> dict[str, object]:
    """The settings in the manifest."""
    settings: dict[str, object] = {
        "injectionBudgetBytes": config.injection_budget_bytes,
        "maxLessonsPerInjection": config.max_lessons_per_injection,
        "minConfidence": config.min_confidence,
        "minPriority": config.min_priority,
        "compactionReinjectionThreshold": config.compaction_reinjection_threshold,
        "autoScanIntervalHours": config.auto_scan_interval_hours,
        "dedupScope": config.dedup_scope,
        "lessonProtocol": config.lesson_protocol,
        "repeatLine": config.repeat_line,
        "weeklyLine": config.weekly_line,
        "tendLine": config.tend_line,
        "holdoutRate": config.holdout_rate,
    }
    if config.exclude_projects:
        settings["excludeProjects"] = patterns_of(config.exclude_projects)
    return settings


def _opened(opened: ExitStack, path: str, stored: Stored | None) -> BinaryIO | None:
    return opened.enter_context(open(path, "rb")) if stored else None


def _opening(settings: dict[str, object], now: str) -> bytes:
    """The manifest up to its first lesson."""
    document = {
        "type": manifest.TYPE,
        "version": manifest.VERSION,
        "builtBy": manifest.BUILT_BY,
        "generatedAt": now,
        "config": settings,
        "lessons": {},
    }
    return json_text.encode(document).removesuffix("}}").encode()


def _write_manifest(home: str, opening: bytes, included: _Included, before: BinaryIO | None) -> int:
    lessons = parts.laid(included.texts(), b",", before)
    return parts.write(paths.manifest_file(home), _around(opening, lessons, b"}}\n"))


def _write_index(home: str, packed: Packed, included: _Included, before: BinaryIO | None) -> int:
    """For the user alone: the hook does not believe an index that somebody else could have written."""
    check = parts.write(paths.hook_index_file(home), _index_chunks(packed, included, before))
    os.chmod(paths.hook_index_file(home), 0o600)
    return check


def _index_chunks(packed: Packed, included: _Included, before: BinaryIO | None) -> Iterator[bytes]:
    return _around(packed.before, parts.laid(included.records(), b"", before), packed.after)


def _around(before: bytes, inner: Iterable[bytes], after: bytes) -> Iterator[bytes]:
    yield before
    yield from inner
    yield after


def _stamp(home: str) -> Stamp:
    stamp = manifest.stamp(home)
    assert stamp is not None
    return stamp
