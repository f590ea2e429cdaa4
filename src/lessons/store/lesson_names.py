"""The ids and slugs of lesson records, by which people and programs name them."""

import difflib

import msgspec

from lessons.errors import NotFound, Refused
from lessons.model import shown


class Names:
    """The ids and slugs of the records so far; no two lessons may share one."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def take(self, number: int, names: tuple[str, ...]) -> None:
        """Raises Refused if an earlier record has one of them."""
        for name in names:
            if name in self._seen and name:
                raise Refused(f"{name} is also lesson {self._seen[name]}: give it an id and a slug of its own.")
        for name in names:
            self._seen[name] = number


class NameFields(msgspec.Struct, gc=False):
    """Only the names of a record."""

    id: object = None
    slug: object = None


def names_of(record: object) -> tuple[str, ...]:
    if not isinstance(record, dict):
        return ()
    return names_in(record.get("id"), record.get("slug"))


def names_in(*values: object) -> tuple[str, ...]:
    """Returns those of an id and a slug that can name a record."""
    return tuple(dict.fromkeys([name for name in values if isinstance(name, str) and name]))


def position_of(name: str, listed: list[tuple[str, ...]]) -> int:
    """Returns the position of this name, or the only one that starts with it; raises NotFound or Refused otherwise."""
    found = [position for position, names in enumerate(listed) if name in names]
    if not found and name:
        found = [position for position, names in enumerate(listed) if _any_starts(names, name.lower())]
    if len(found) > 1:
        some = ", ".join(listed[position][-1] for position in found[:5])
        raise Refused(f"{name} matches {len(found)} lessons ({some}): write more of the slug.")
    if not found:
        close = difflib.get_close_matches(name, {each for names in listed for each in names}, n=1)
        hint = f"perhaps {close[0]} is meant" if close else "`lessons list --status all` shows them all"
        raise NotFound(f"There is no lesson {shown(name)}: {hint}.")
    return found[0]


def _any_starts(names: tuple[str, ...], start: str) -> bool:
    return any(own.lower().startswith(start) for own in names)
