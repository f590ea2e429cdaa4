"""Replaces every secret in a text from a transcript by `[redacted:KIND]`."""

import re
from functools import lru_cache

from lessons.redact.gates import Suspects, has_key_id, suspects
from lessons.redact.spans import Text, continues

# Read past a cut, so that a secret across it is seen whole: twice the size of the largest private key in use.
_BEYOND_CUT = 8192
# The gates recognise a secret that starts before the cut by the text within this length, if its value ends within the
# first half. Some are recognised by the text after them, as in `echo VALUE | docker login --password-stdin`.
_GATED_BEYOND_CUT = 512
_SPACE = re.compile(r"\s")
_SHORTEST_SECRET = 8
_LONGEST_REMEMBERED = 200
_MOST_ROUNDS = 3
_HEADERS = ("Authorization", "Cookie")
# Colours and invisible characters: they may be between a name and its value, or inside a token.
_SIGNS = "\xad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
_COLOUR = "\x1b(?:\\[[0-?]{0,64}[ -/]{0,8}[@-~]|\\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\\\)|[()][0-9A-Z])"
_UNSEEN = re.compile(f"{_COLOUR}|[{_SIGNS}]")


def redacted(text: str) -> str:
    """Replaces every secret with its marker; returns a text without secrets unchanged, any other without colours."""
    if _has_unseen(text):
        plain = _UNSEEN.sub("", text)
        if plain != text and (clean := _in_rounds(plain)) != plain:
            return clean
    return _in_rounds(text)


def _has_unseen(text: str) -> bool:
    return "\x1b" in text or (not text.isascii() and any(sign in text for sign in _SIGNS))


def _in_rounds(text: str) -> str:
    # A round can leave a new neighbour (a value beside a marker): the next round sees it.
    for _ in range(_MOST_ROUNDS):
        clean = _swept(text)
        if clean == text:
            break
        text = clean
    return text


def redacted_start(text: str, limit: int) -> str:
    """Returns the start of the redacted text; nothing is left of a secret across the cut."""
    if limit <= 0:
        return ""
    if len(text) > limit + _GATED_BEYOND_CUT and _starts_plain(text, limit):
        return text[:limit]
    return redacted(text[: limit + _BEYOND_CUT])[:limit]


def _starts_plain(text: str, limit: int) -> bool:
    """Whether no secret can start before the cut; much cheaper than reading everything after it."""
    start = text[: limit + _GATED_BEYOND_CUT]
    if not _SPACE.search(text, limit, limit + _GATED_BEYOND_CUT // 2) or continues(start):
        return False
    if any(suspects(start)) or _has_unseen(start):
        return False
    # The end of a private key, and the id of a key pair, reveal a secret before them.
    rest = text[limit : limit + _BEYOND_CUT]
    return "PRIVATE KEY" not in rest and not has_key_id(rest)


def redacted_end(text: str, limit: int) -> str:
    """Returns the end of a redacted text whose start was cut off; removes half a private key there too."""
    if limit <= 0:
        return ""
    from lessons.redact.shapes import PRIVATE_KEY_BEGIN, PRIVATE_KEY_END

    end = PRIVATE_KEY_END.search(text)
    if end and not PRIVATE_KEY_BEGIN.search(text, 0, end.start()):
        text = "[redacted:private-key]" + text[end.end() :]
    return redacted(text)[-limit:]


def redacted_value(name: str, value: str, limit: int) -> str:
    """Redacts the value of a named field: a name that announces a secret is enough."""
    from lessons.redact.values import is_secret_if_quoted

    if says_secret(name) and is_secret_if_quoted(name, value[:limit]):
        return f"[redacted:{says_secret(name)}]"
    for header in _HEADERS:
        if name[-20:].lower().endswith(header.lower()):  # the value is judged as in the header's line
            return redacted_start(f"{header}: {value}", limit + len(header) + 2)[len(header) + 2 :]
    if len(value) <= _LONGEST_REMEMBERED and len(value) <= limit:
        return _remembered(value)
    return redacted_start(value, limit)


@lru_cache(maxsize=1024)
def clean_name(name: str, limit: int = 300) -> str:
    """Redacts the name of a branch, a folder and the like; cached, because thousands of calls share it."""
    return redacted_start(name, limit)


@lru_cache(maxsize=8192)
def _remembered(value: str) -> str:
    """Cached, because short values, mostly paths, occur again and again."""
    return redacted(value)


@lru_cache(maxsize=512)
def says_secret(name: str) -> str:
    """Returns the kind of secret that a name announces; empty for most."""
    from lessons.redact.values import strength_of_name

    return strength_of_name(name) if len(name) < 100 else ""


def _swept(text: str) -> str:
    if len(text) < _SHORTEST_SECRET:
        return text
    if continues(text) and (joined := Text.joined(text)) and any(found := suspects(joined.text)):
        text = _without_secrets(joined, found)
    # As written too: a backslash may end a path or a sentence, and what follows it starts a line.
    found = suspects(text)
    return _without_secrets(Text(text), found) if any(found) else text


def _without_secrets(whole: Text, found: Suspects) -> str:
    # Imported late: it has many patterns, a compaction may wait for this, and most texts have no secret.
    from lessons.redact.sweep import swept

    return swept(whole, found)
