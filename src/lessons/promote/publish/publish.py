"""Writes the manifest and the hook index of a data home, and reports what was left out and why."""

import os
from datetime import UTC, datetime
from typing import NamedTuple

from lessons import paths
from lessons.collection import without_collection
from lessons.config import RULES, load, variable_for
from lessons.promote.publish.assemble import Exclusion, Watch, assemble, unwatched
from lessons.promote.publish.regex_code import with_code
from lessons.promote.publish.spool import Spool
from lessons.promote.publish.written import write_index, write_lessons, write_made
from lessons.promote.slow_regex.memory import remembering
from lessons.promote.team.team import Team, acting
from lessons.store import atomic, compiled_lessons, json_text, lesson_file, manifest
from lessons.store.lesson_file import LessonFile
from lessons.store.lock import locked


class BuildReport(NamedTuple):
    """What a build did; a warning is about a lesson that is in the manifest."""

    included: int
    excluded: list[Exclusion]
    warnings: list[str]
    generated_at: str


def publish(home: str, file: LessonFile | None = None, watch: Watch = unwatched) -> BuildReport:
    """Compiles lessons.json; a damaged lessons.json or config.json leaves the last manifest unchanged.

    Reuses the results of the previous build for unchanged lessons. `file` is what the caller has just written: it is
    read again only if somebody else wrote since.
    """
    # Locked from reading to writing: of two parallel builds the later one has read the later lessons.
    with locked(paths.manifest_file(home)), remembering(home), without_collection():
        sources = manifest.sources(home)
        config = load(home)
        if file is None or file.written != sources[0]:
            file = lesson_file.read(home)
        team = acting(home, file)
        if file.is_missing and (kept := _kept(home, team)):
            return kept
        stored = compiled_lessons.read(home)
        with Spool(home) as spool:
            made = assemble(file, team, config, stored, spool, watch)
            said = [*_override_warnings(), *([] if stored else _set_aside_foreign(home)), *made.warnings]
            now = _now()
            write_made(home, config, made, stored, now, sources, file.noted_layout())
    return BuildReport(made.included, made.excluded, said, now)


def _kept(home: str, team: Team) -> BuildReport | None:
    """Keeps the lessons of any manifest if lessons.json is missing, and builds its index.

    Lessons of projects are not kept: without lessons.json none of theirs acts besides the others.
    """
    stamp = manifest.stamp(home)
    try:
        settings, lessons = manifest.read(home)
    except manifest.UnusableManifest:
        return None
    if not lessons or stamp is None:
        return None
    usable: dict[str, dict[str, object]] = {}
    excluded = []
    own = {identifier: entry for identifier, entry in lessons.items() if "trustedFrom" not in entry}
    if not own:
        return None
    for identifier, entry in own.items():
        try:
            with_code(entry)
            usable[identifier] = entry
        except Exception as fault:  # a foreign file may contain anything
            excluded.append(Exclusion(str(entry.get("slug", identifier)), f"its patterns cannot be used ({fault})."))
    said = [f"{paths.lessons_file(home)} does not exist: the manifest that is there is left as it is."]
    now = _now()
    if len(own) < len(lessons):
        write_lessons(home, load(home), usable, now, manifest.sources(home))
    else:
        write_index(home, stamp, settings, usable, manifest.sources(home))
    said += [f"{each.lesson.slug}: {each.path} waits until there is a lessons.json." for each in team.lessons]
    return BuildReport(len(usable), excluded, said, now)


def _set_aside_foreign(home: str) -> list[str]:
    """Sets aside a manifest of another system, or a damaged one; never overwrites it."""
    path = paths.manifest_file(home)
    if not os.path.exists(path) or _is_ours(home):
        return []
    return [f"the manifest was not written by lessons and is kept as {atomic.set_aside(path)}."]


def _is_ours(home: str) -> bool:
    try:
        with open(paths.manifest_file(home), encoding="utf-8") as file:
            document = json_text.decode(file.read())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("builtBy") == manifest.BUILT_BY


def _override_warnings() -> list[str]:
    variables = [variable_for(key) for key in RULES if os.environ.get(variable_for(key))]
    return [f"{name} is set here and was built in: a build without it undoes that." for name in variables]


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
