"""Writes config.json."""

from lessons import json_document, paths
from lessons.config import REMEDY, checked, put, rule_of, value_from_text
from lessons.store import atomic
from lessons.store.lock import locked


def set_value(home: str, key: str, text: str) -> object:
    """Writes one setting; other keys stay unchanged, even unknown ones and those with a wrong value."""
    value = checked(key, value_from_text(key, text), key)
    file = paths.config_file(home)
    with locked(file):
        before = json_document.read_text(file, REMEDY)
        document = {} if before is None else json_document.parse(before, file, REMEDY)
        put(document, key, value)
        style = json_document.Style() if before is None else json_document.style_of(before)
        atomic.write_text(file, json_document.render(document, style))
    return value


def unset_value(home: str, key: str) -> bool:
    """Removes one setting, so that its default applies; returns False if the file did not have it."""
    rule_of(key)
    file = paths.config_file(home)
    with locked(file):
        before = json_document.read_text(file, REMEDY)
        document = {} if before is None else json_document.parse(before, file, REMEDY)
        group, _, name = key.rpartition(".")
        holder = document.get(group) if group else document
        if before is None or not isinstance(holder, dict) or name not in holder:
            return False
        del holder[name]
        if group and not holder:
            del document[group]
        atomic.write_text(file, json_document.render(document, json_document.style_of(before)))
    return True
