"""The kind of a mistake: by the family of what the failed call has and the call that worked has not."""

import re
from collections.abc import Iterable

from lessons.episode import Kind, Step
from lessons.failure.telling_line import telling_line
from lessons.mistakes.features import family_of
from lessons.mistakes.steps import features, programs

_NOT_FOUND = 127  # the exit code of a shell for a missing program
_GO = "cd"  # what goes to another folder
_READ = 4000
# Families of features, most telling first; of several that differ the first one names the kind.
_KINDS: dict[str, Kind] = {
    "option": "wrong-flag",
    "words": "wrong-command",
    "word": "wrong-command",
    "program": "wrong-command",
    "escape": "quoting",
    "path": "wrong-path",
    "path-shape": "wrong-path",
    "folder": "wrong-path",
    "place": "wrong-path",
    "kind": "wrong-path",
    "argument": "wrong-arguments",
    "value": "wrong-arguments",
    "shape": "wrong-arguments",
    "argument-shape": "wrong-arguments",
    "value-kind": "wrong-path",
    "value-folder": "wrong-path",
    "assigned": "order-of-steps",
    "module": "wrong-arguments",
    "name": "wrong-arguments",
}
_ORDER = {family: number for number, family in enumerate(_KINDS)}


def kind_of_mistake(failure: Step, fix: Step | None) -> Kind:
    """Returns the kind, preferring what the error names."""
    if fix is None:
        return "telling-error"
    if failure.tool != fix.tool:
        return "other-tool"
    if failure.command:
        before, after = programs(failure), programs(fix)
        gone = [name for name in before if name not in after and name != _GO]
        said = telling_line(failure.error)
        if gone and (failure.exit_code == _NOT_FOUND or any(is_named(name, said) for name in gone)):
            return "missing-tool"
        if _bare(failure.command) == _bare(fix.command):
            return "quoting"
        if _bare(fix.command).endswith(_bare(failure.command)):
            return "wrong-path" if _GO in after and _GO not in before else "order-of-steps"
    lost, added = features(failure) - features(fix), features(fix) - features(failure)
    named = [feature for feature in lost if is_named(last_word(feature), failure.error)]
    if not named and any(map(_goes, (*lost, *added))):
        return "wrong-path"
    for found in (named, lost, added):
        if kind := _first(found):
            return kind
    return "wrong-arguments"


def last_word(feature: str) -> str:
    """Returns what a feature is about: `--stat` of `option:git log --stat`."""
    return feature.rpartition(" ")[2].rpartition("=")[2].rstrip("/")


def is_named(word: str, text: str) -> bool:
    """Whether the text has this as a word of its own."""
    return len(word) > 1 and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text[:_READ]) is not None


def _first(found: Iterable[str]) -> Kind | None:
    known = [feature for feature in found if family_of(feature) in _KINDS]
    if not known:
        return None
    first = min(known, key=lambda feature: (_ORDER[family_of(feature)], feature))
    return "wrong-path" if _goes(first) else _KINDS[family_of(first)]


def _goes(feature: str) -> bool:
    return feature.partition(":")[2].startswith(f"{_GO} ")


def _bare(line: str) -> str:
    """Returns a line without quotes, backslashes and repeated blanks."""
    return " ".join(re.sub(r"[\"'\\]", "", line).split())
