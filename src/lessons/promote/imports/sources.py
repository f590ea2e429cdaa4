"""Reads the drafts in a file or a folder."""

import fnmatch
import glob
import os
from collections.abc import Iterator

from lessons.errors import NotFound, Refused
from lessons.promote.imports import lessons_learned, rules
from lessons.promote.imports.review import Source

FORMATS = ("lessons-learned", "hookify")
_RULES = "hookify.*.md"
# If there are several forms of the same lessons, the most complete one is read.
_LEARNED = ("lessons.json", "data/lessons.json", "lesson-manifest.json", "data/lesson-manifest.json")


def read(place: str, format_: str | None = None) -> list[Source]:
    """Returns everything that can be imported from there; refuses a file that cannot be read at all."""
    if not os.path.exists(place):
        raise NotFound(f"No {place}: give a file or a folder.")
    files = list(_in_folder(place, format_)) if os.path.isdir(place) else [(place, format_ or _format_of(place))]
    if not files:
        what = f"for the format {format_}" if format_ else "that could be imported"
        raise NotFound(f"{place} holds nothing {what}: name the file itself.")
    sources = []
    for path, chosen in files:
        drafts = rules.hookify_drafts(path) if chosen == "hookify" else lessons_learned.drafts(path)
        sources.append(Source(os.path.abspath(path), _project(path, chosen), drafts))
    return sources


def _in_folder(folder: str, format_: str | None) -> Iterator[tuple[str, str]]:
    if format_ in (None, "lessons-learned"):
        there = (os.path.join(folder, name) for name in _LEARNED)
        yield from ((path, "lessons-learned") for path in [next(filter(os.path.isfile, there), "")] if path)
    if format_ in (None, "hookify"):
        for place in (folder, os.path.join(folder, ".claude")):
            yield from ((os.path.join(place, name), "hookify") for name in sorted(glob.glob(_RULES, root_dir=place)))


def _format_of(path: str) -> str:
    if fnmatch.fnmatchcase(os.path.basename(path), _RULES):
        return "hookify"
    if path.lower().endswith((".md", ".mdc")):
        raise Refused(f"{path} has rules in sentences: `lessons rules {path}` finds them.")
    if path.lower().endswith(".json"):
        return "lessons-learned"
    raise Refused(f"{path} has an unknown format: add --format {'|'.join(FORMATS)}.")


def _project(path: str, chosen: str) -> str:
    """Rules in a project are for that project; those in the user's home folder are for everything."""
    if chosen == "lessons-learned":
        return ""
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.basename(folder) == ".claude":
        folder = os.path.dirname(folder)
    return "" if folder == os.path.realpath(os.path.expanduser("~")) else folder
