"""Finds which arguments of a tool other than a shell were replaced."""

import re
from collections.abc import Mapping

import msgspec

from lessons.capture.signals.difference import inside, is_number, shortened, similarity
from lessons.capture.signals.pair import Pair
from lessons.episode import Change, Step
from lessons.shell.named import is_named

_NAMES = re.compile(r"[\w.-]{2,}")
_SIMILAR = 0.25
_COMPARED_CHARACTERS = 4096
_LONG = 60
_MOST_ARGUMENTS = 2


def change(pair: Pair) -> Change | None:
    """Detects `paths: /tmp/a.txt` → `paths: /srv/shop/a.txt`; another file or number is different work."""
    failure, fix = pair.failure, pair.fix
    if failure.command or fix.command or failure.tool != fix.tool or failure.arguments == fix.arguments:
        return None
    before, after = _decoded(failure), _decoded(fix)
    names = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    if not names or not _is_same_task(pair, before, after, names):
        return None
    names = [name for name in names if _is_named(name, before, pair)] or names
    gone = ", ".join(_shown(name, before, after, pair.said) for name in names[:_MOST_ARGUMENTS] if name in before)
    came = ", ".join(_shown(name, after, before, pair.said) for name in names[:_MOST_ARGUMENTS] if name in after)
    return Change("wrong-arguments", shortened(gone), shortened(came))


def _decoded(step: Step) -> dict[str, str]:
    try:
        found = msgspec.json.decode(step.arguments, type=dict[str, object])
    except (msgspec.MsgspecError, ValueError, RecursionError):  # cut off, or half a surrogate pair
        return {"": step.arguments}
    return {name: _text(value) for name, value in found.items()}


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return msgspec.json.encode(value).decode()


def _is_same_task(pair: Pair, before: Mapping[str, str], after: Mapping[str, str], names: list[str]) -> bool:
    if all(is_number(before.get(name, "")) and is_number(after.get(name, "")) for name in names):
        return False
    old, new = (step.path.rpartition("/")[2] for step in (pair.failure, pair.fix))
    if old != new and old and new and not is_named(new, pair.error):
        return _folder(pair.failure) != _folder(pair.fix) and "mcp__" in pair.fix.tool
    if old == new != "":
        return True
    one, other = (tuple(_NAMES.findall(" ".join(values.values())[:_COMPARED_CHARACTERS])) for values in (before, after))
    return set(before) != set(after) or similarity(one, other) >= _SIMILAR


def _folder(step: Step) -> str:
    return step.path.rpartition("/")[0]


def _is_named(name: str, values: Mapping[str, str], pair: Pair) -> bool:
    return is_named(name, pair.said) or is_named(values.get(name, ""), pair.error)


def _shown(name: str, values: Mapping[str, str], others: Mapping[str, str], said: str) -> str:
    value = values[name]
    if len(value) > _LONG and len(others.get(name, "")) > _LONG and len(value.split()) > 1:
        value = inside(value, others[name], said)[0]
    return f"{name}: {value}" if name else value
