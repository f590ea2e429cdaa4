"""Writes the results of a build: the manifest, its hook index, and `compiled-lessons`."""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import BinaryIO

from lessons import paths
from lessons.config import Config
from lessons.promote.publish import parts
from lessons.promote.publish.assemble import Assembly, thresholds
from lessons.promote.publish.compile import row_of_entry
from lessons.promote.publish.index_file import Packed, pack
from lessons.promote.publish.index_keys import Entry
from lessons.promote.publish.merge import Merged, merge
from lessons.promote.publish.parts import Part
from lessons.promote.publish.spool import Spool, parts_of
from lessons.store import compiled_lessons, json_text, manifest
from lessons.store.compiled_lessons import Places, Stored
from lessons.store.consent import patterns_of
from lessons.store.lesson_layout import Layout

Stamp = tuple[int, int]


def write_made(
    home: str,
    config: Config,
    made: Assembly,
    stored: Stored | None,
    now: str,
    sources: tuple[Stamp, ...],
    layout: Layout | None,
) -> None:
    """Writes the manifest, then its index, then what the next build can reuse.

    Between these steps the hook reads the manifest. A killed build leaves files that the next one ignores.
    """
    settings = settings_of(config)
    opening = _opening(settings, now)
    merged = merge(made.rows, stored)
    with ExitStack() as opened:
        manifest_before = _opened(opened, paths.manifest_file(home), stored)
        index_before = _opened(opened, paths.hook_index_file(home), stored)
        check = _write_manifest(home, opening, merged.texts, manifest_before)
        packed = pack(_stamp(home), settings, merged.rows, merged.postings, sources)
        index_check = _write_index(home, packed, merged.records, index_before)
    places = Places(len(opening), len(packed.before), thresholds(config))
    noted = Stored(merged.rows, merged.postings, places, layout)
    compiled_lessons.write(home, noted, sources, (check, index_check))


def write_lessons(
    home: str, config: Config, lessons: dict[str, Entry], now: str, sources: tuple[Stamp, ...] = ()
) -> None:
    """Writes existing entries as the only lessons of the home."""
    settings, merged = settings_of(config), _fresh(lessons)
    _write_manifest(home, _opening(settings, now), merged.texts, None)
    _write_index(home, pack(_stamp(home), settings, merged.rows, merged.postings, sources), merged.records, None)


def write_index(
    home: str, stamp: Stamp, settings: dict[str, object], lessons: dict[str, Entry], sources: tuple[Stamp, ...]
) -> None:
    """Writes the index of a manifest that stays unchanged."""
    merged = _fresh(lessons)
    _write_index(home, pack(stamp, settings, merged.rows, merged.postings, sources), merged.records, None)


def index_of(
    stamp: Stamp, settings: dict[str, object], lessons: dict[str, Entry], sources: tuple[Stamp, ...] = ()
) -> bytes:
    """Returns the bytes of such an index."""
    merged = _fresh(lessons)
    packed = pack(stamp, settings, merged.rows, merged.postings, sources)
    return b"".join(_index_chunks(packed, merged.records, None))


def _fresh(lessons: dict[str, Entry]) -> Merged:
    spool = Spool()
    made = (row_of_entry(identifier, entry) for identifier, entry in lessons.items())
    return merge([spool.put(parts_of(each)) for each in made], None)


def settings_of(config: Config) -> dict[str, object]:
    """Returns the settings in the manifest."""
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
        "memory": config.memory,
    }
    if config.exclude_projects:
        settings["excludeProjects"] = patterns_of(config.exclude_projects)
    return settings


def _opened(opened: ExitStack, path: str, stored: Stored | None) -> BinaryIO | None:
    return opened.enter_context(open(path, "rb")) if stored else None


def _opening(settings: dict[str, object], now: str) -> bytes:
    """Returns the manifest up to its first lesson."""
    document = {
        "type": manifest.TYPE,
        "version": manifest.VERSION,
        "builtBy": manifest.BUILT_BY,
        "generatedAt": now,
        "config": settings,
        "lessons": {},
    }
    return json_text.encode(document).removesuffix("}}").encode()


def _write_manifest(home: str, opening: bytes, texts: list[Part], before: BinaryIO | None) -> int:
    lessons = parts.laid(texts, b",", before)
    return parts.write(paths.manifest_file(home), _around(opening, lessons, b"}}\n"))


def _write_index(home: str, packed: Packed, records: list[Part], before: BinaryIO | None) -> int:
    """Writes a private file: the hook does not trust an index that somebody else could have written."""
    check = parts.write(paths.hook_index_file(home), _index_chunks(packed, records, before))
    os.chmod(paths.hook_index_file(home), 0o600)
    return check


def _index_chunks(packed: Packed, records: list[Part], before: BinaryIO | None) -> Iterator[bytes]:
    return _around(packed.before, parts.laid(records, b"", before), packed.after)


def _around(before: bytes, inner: Iterable[bytes], after: bytes) -> Iterator[bytes]:
    yield before
    yield from inner
    yield after


def _stamp(home: str) -> Stamp:
    stamp = manifest.stamp(home)
    assert stamp is not None
    return stamp
