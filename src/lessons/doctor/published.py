"""Checks what the build wrote: the manifest, the hook index and the bundle of the hook."""

from collections.abc import Iterator

from lessons import paths
from lessons.check import Check
from lessons.hook import bundle
from lessons.store import hook_index, manifest


def checks(home: str) -> Iterator[Check]:
    yield manifest_check(home)
    yield _index(home)
    yield _bundle()


def manifest_check(home: str) -> Check:
    fix = "Run `lessons build`."
    if manifest.stamp(home) is None:
        return Check("manifest", False, "missing, so no lesson fires.", fix)
    try:
        _, lessons = manifest.read(home)
    except manifest.UnusableManifest as fault:
        return Check("manifest", False, f"cannot be used ({fault}), so no lesson fires.", fix)
    if _changed_since(home):
        return Check("manifest", False, "stale: lessons.json, config.json or trusted.json has changed.", fix)
    return Check("manifest", True, f"{len(lessons)} lessons in use.")


def _changed_since(home: str) -> bool:
    """Whether the manifest was made from other files; an index that cannot tell is a check of its own."""
    try:
        index = hook_index.HookIndex(paths.hook_index_file(home), manifest.stamp(home) or (0, 0))
        return tuple(index.head["sources"]) != manifest.sources(home)
    except Exception:
        return False


def _index(home: str) -> Check:
    stamp = manifest.stamp(home)
    try:
        index = hook_index.HookIndex(paths.hook_index_file(home), stamp or (0, 0))
        index.check()
    except hook_index.UnusableIndex as fault:
        detail = f"The fast index is {fault}: the hook reads the manifest instead, which is slower."
        return Check("hook index", False, detail, "Run `lessons build`.")
    return Check("hook index", True, "up to date.")


def _bundle() -> Check:
    if bundle.refresh():
        return Check("hook start", True, "from its bundle.")
    detail = f"{bundle.bundle_file().parent} cannot be written: the hook starts a few milliseconds slower."
    return Check("hook start", True, detail)
