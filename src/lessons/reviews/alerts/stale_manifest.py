"""Lessons were changed and not published: the hook uses older ones."""

from lessons import paths
from lessons.alert import Alert
from lessons.reviews.alerts.view import Finding, NoData, View
from lessons.store import manifest
from lessons.store.hook_index import HookIndex

ID = "stale-manifest"


def look(view: View) -> Finding:
    sources = manifest.sources(view.home)
    if sources[0] == (0, 0):
        return NoData("there are no lessons yet")
    stamp = manifest.stamp(view.home)
    if stamp is None:
        return _alert("The lessons are not built, so none fires.")
    try:
        index = HookIndex(paths.hook_index_file(view.home), stamp)
        if tuple(index.head["sources"]) == sources:
            return None
    except Exception:  # the index is unusable: a build creates a new one
        return _alert("The published lessons cannot be compared with lessons.json.")
    return _alert("lessons.json has changed since the last build: the hook uses older lessons.")


def _alert(message: str) -> Alert:
    return Alert(id=ID, severity="warning", message=message, action="lessons build", of_project=False)
