"""The ids and slugs of lesson records, by which people and programs name them."""

import msgspec

from lessons.errors import Refused


class Names:
    """The ids and slugs of the records so far; no two lessons may share one."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def take(self, number: int, names: tuple[str, ...]) -> None:
        """Refused if an earlier record has one of them."""
        for name in names:
            if name in self._seen and name:
                raise Refused(f"{name} is also lesson {self._seen[name]}: give it an id and a slug of its own.")
        for name in names:
            self._seen[name] = number


class NameFields(msgspec.Struct, gc=False):
    """Of a record its names alone."""

    id: object = None
    slug: object = None


def names_of(record: object) -> tuple[str, ...]:
    if not isinstance(record, dict):
        return ()
    return names_in(record.get("id"), record.get("slug"))


def names_in(*values: object) -> tuple[str, ...]:
    """Those of an id and a slug by which a record can be named."""
    return tuple(dict.fromkeys([name for name in values if isinstance(name, str) and name]))


def any_starts(names: tuple[str, ...], start: str) -> bool:
    return any(own.lower().startswith(start) for own in names)
