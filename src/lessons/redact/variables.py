"""Hides values of variables in texts that are shown: there a name is enough, however harmless its value looks."""

import re

from lessons.redact.values import name_words, strength_of_name

_VARIABLE = re.compile(r"(?<![\w-])([A-Za-z0-9_]+)=([^\s`]+)")
_SECRET_WORDS = frozenset("key keys session pin pat webhook jwt bearer otp salt dsn".split())
_SWITCH = re.compile(r"[01]|true|false|yes|no|on|off", re.IGNORECASE)


def without_secret_values(text: str) -> str:
    """Replaces the value of each variable whose name announces a secret."""
    return _VARIABLE.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    name, value = found.groups()
    return f"{name}=…" if _is_secret(name) and not _SWITCH.fullmatch(value) else found[0]


def _is_secret(name: str) -> bool:
    words = [word for word in name_words(name) if not word.isdigit()]
    return bool(strength_of_name(name)) or (bool(words) and words[-1].rstrip("0123456789") in _SECRET_WORDS)
