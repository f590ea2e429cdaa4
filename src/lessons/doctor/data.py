"""The data home in, one check for each of its files out."""

import os
from collections.abc import Iterator

from lessons import config, paths
from lessons.check import Check
from lessons.errors import LessonsError
from lessons.hook import bundle
from lessons.promote.publish import entry as entries
from lessons.promote.publish import examples
from lessons.promote.slow_regex.probe import find_danger
from lessons.promote.team import team
from lessons.store import faults, hook_index, lesson_file, manifest, trusted


def checks(home: str) -> Iterator[Check]:
    yield _home(home)
    yield from _lessons(home)
    yield _config(home)
    yield _trusted(home)
    yield manifest_check(home)
    yield _index(home)
    yield _bundle()
    yield _faults(home)


def _home(home: str) -> Check:
    if not os.path.isdir(home):
        return Check("data home", False, f"{home} does not exist.", "Run `lessons install` or `lessons add`.")
    if not os.access(home, os.W_OK):
        return Check("data home", False, f"{home} cannot be written.", "Give yourself the right to write there.")
    return Check("data home", True, home)


def _lessons(home: str) -> Iterator[Check]:
    try:
        file = lesson_file.read(home)
    except LessonsError as damaged:
        yield Check("lessons.json", False, str(damaged), "Correct the file; until then the last build goes on acting.")
        return
    lessons, problems = file.lessons(), file.problems()
    if problems:
        yield Check("lessons.json", False, " ".join(problem.sentence for problem in problems), "Correct the records.")
    else:
        yield Check("lessons.json", True, f"{len(lessons)} lessons.")
    wrong, patterns = [], 0
    for lesson in lessons:
        published = entries.entry_of(lesson, find_danger)
        triggers = lesson.triggers
        patterns += sum(map(len, (triggers.command_patterns, triggers.path_patterns, triggers.content_patterns)))
        patterns += len(triggers.error_patterns) + len(triggers.unless)
        wrong += [f"{lesson.slug}: {sentence}" for sentence in published.left_out]
        wrong += [f"{lesson.slug}: {sentence}" for sentence in examples.failures(lesson, published.entry)]
    fix = "`lessons edit SLUG` changes a lesson."
    detail = "\n".join(wrong) if wrong else f"{patterns} patterns compile, all examples come out as they should."
    yield Check("triggers and examples", not wrong, detail, fix if wrong else "")


def _config(home: str) -> Check:
    try:
        config.load(home)
        unknown = config.warnings(home)
    except LessonsError as wrong:
        return Check("config.json", False, str(wrong), "Correct it; until then the last build goes on acting.")
    return Check("config.json", True, " ".join(unknown) or "in order.")


def _trusted(home: str) -> Check:
    try:
        projects = trusted.read(home)
    except LessonsError as damaged:
        return Check("trusted projects", False, str(damaged), "Until then no project's lessons are built in.")
    changed = [sentence for root, known in projects.items() for sentence in team.changes(root, known)]
    if changed:
        fix = "`lessons trust DIR` shows what a project brings and asks again."
        return Check("trusted projects", False, "\n".join(changed), fix)
    return Check("trusted projects", True, f"{len(projects)}, as they were." if projects else "none.")


def manifest_check(home: str) -> Check:
    fix = "Run `lessons build`."
    if manifest.stamp(home) is None:
        return Check("manifest", False, "There is none, so no lesson acts.", fix)
    try:
        _, lessons = manifest.read(home)
    except manifest.UnusableManifest as fault:
        return Check("manifest", False, f"It cannot be used ({fault}), so no lesson acts.", fix)
    if _changed_since(home):
        return Check("manifest", False, "lessons.json, config.json or trusted.json changed since the last build.", fix)
    return Check("manifest", True, f"{len(lessons)} lessons act.")


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
    return Check("hook index", True, "fresh and whole.")


def _bundle() -> Check:
    if bundle.refresh():
        return Check("hook start", True, "from its bundle.")
    detail = f"{bundle.bundle_file().parent} cannot be written: the hook starts a few milliseconds slower."
    return Check("hook start", True, detail)


def _faults(home: str) -> Check:
    lines = faults.read(home)
    if not lines:
        return Check("faults", True, "none.")
    detail = f"{len(lines)} noted, the last: {lines[-1]}"
    fix = f"Read {paths.faults_file(home)}; delete it once you are done with it."
    return Check("faults", False, detail, fix)
