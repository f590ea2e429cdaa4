"""Checks the files that the build wrote: the manifest, the hook index and the bundle of the hook."""

import re
from collections.abc import Iterator

from lessons import paths
from lessons.check import Check
from lessons.hook import bundle
from lessons.promote.publish.entry import whole_line_notes
from lessons.store import compiled_lessons, hook_index, manifest

_SAMPLE = 300


def checks(home: str) -> Iterator[Check]:
    yield manifest_check(home)
    if notes := list(_notes(home)):
        yield Check("warnings of the build", True, "\n".join(notes), "Change the lesson with `lessons edit SLUG`.")
    yield _index(home)
    yield _bundle()


def manifest_check(home: str, thorough: bool = True) -> Check:
    """Checks that the manifest is usable and up to date; unless `thorough`, relies on an index that belongs to it."""
    fix = "Run `lessons build`."
    if manifest.stamp(home) is None:
        return Check("manifest", False, "missing, so no lesson fires.", fix)
    try:
        index = hook_index.HookIndex(paths.hook_index_file(home), manifest.stamp(home) or (0, 0))
    except hook_index.UnusableIndex:  # has its own check
        return _manifest_alone(home, fix)
    if tuple(index.head["sources"]) != manifest.sources(home):
        return Check("manifest", False, "stale: lessons.json, config.json or trusted.json has changed.", fix)
    if not thorough or compiled_lessons.fits(home):
        return Check("manifest", True, f"{index.head['lessons']} lessons in use.")
    return _manifest_alone(home, fix)


def _manifest_alone(home: str, fix: str) -> Check:
    try:
        _, lessons = manifest.read(home)
    except manifest.UnusableManifest as fault:
        return Check("manifest", False, f"cannot be used ({fault}), so no lesson fires.", fix)
    return Check("manifest", True, f"{len(lessons)} lessons in use.")


def _notes(home: str) -> Iterator[str]:
    """Yields what the last build warned of although nothing is wrong; for another tool's manifest, what ours would."""
    if compiled_lessons.fits(home):
        rows = compiled_lessons.rows(home)
        for made in (rows.row(place).compiled for place in rows.not_plain()):
            yield from (sentence for sentence in made.warnings if sentence not in made.wrong) if made else ()
        return
    try:
        _, lessons = manifest.read(home)
    except manifest.UnusableManifest:
        return  # has its own check
    for identifier, entry in lessons.items():
        try:
            yield from (f"{entry.get('slug', identifier)}: {sentence}" for sentence in whole_line_notes(entry))
        except (ValueError, re.error, RecursionError, OverflowError):
            continue  # the hook skips such a lesson


def _index(home: str) -> Check:
    stamp = manifest.stamp(home)
    try:
        index = hook_index.HookIndex(paths.hook_index_file(home), stamp or (0, 0))
        # Unchanged since the build: any damage left affects the whole index, so a sample is enough.
        index.check(_SAMPLE if compiled_lessons.fits(home) else None)
    except hook_index.UnusableIndex as fault:
        detail = f"The fast index is {fault}: the hook reads the manifest instead, which is slower."
        return Check("hook index", False, detail, "Run `lessons build`.")
    return Check("hook index", True, "up to date.")


def _bundle() -> Check:
    if bundle.refresh():
        return Check("hook start", True, "from its bundle.")
    detail = f"{bundle.bundle_file().parent} cannot be written: the hook starts a few milliseconds slower."
    return Check("hook start", True, detail)
