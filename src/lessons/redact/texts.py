"""A text from a transcript comes in; the same text with every secret replaced by `[redacted:KIND]` goes out."""

import re
from functools import lru_cache

from lessons.redact.assignments import flag_secrets, named_secrets, random_values
from lessons.redact.commands import command_secrets
from lessons.redact.gates import suspects
from lessons.redact.shapes import (
    AWS_SECRET,
    PRIVATE_KEY_BEGIN,
    PRIVATE_KEY_BODY,
    PRIVATE_KEY_END,
    PRIVATE_KEY_LAST_LINE,
    PRIVATE_KEY_LINE,
    PRIVATE_KEY_LINE_BETWEEN,
    PRIVATE_KEY_LINE_END,
    PRIVATE_KEY_PADDED,
    TOKENS,
    URL_PASSWORD,
    URL_PASSWORD_WITH_SLASH,
    URL_TOKEN,
)
from lessons.redact.spans import Span, without
from lessons.redact.values import is_random, is_secret_if_quoted, is_stand_in, strength_of_name

# What is read past a cut, so that a secret lying across it is seen whole: twice the largest private key in use.
_BEYOND_CUT = 8192
_SHORTEST = 8
_SHORT = 200
_ROUNDS = 3
_MOST_KEY_LINES = 400
_HEADERS = ("Authorization", "Cookie")


def redacted(text: str) -> str:
    """Every secret replaced by its marker; a text without one is returned as it is."""
    # A round can leave a new neighbour behind (a value beside a marker): the next one sees it.
    for _ in range(_ROUNDS):
        clean = _swept(text)
        if clean == text:
            break
        text = clean
    return text


def redacted_start(text: str, limit: int) -> str:
    """The first characters of the redacted text; a secret across the cut leaves nothing of itself behind."""
    if limit <= 0:
        return ""
    return redacted(text[: limit + _BEYOND_CUT])[:limit]


def redacted_end(text: str, limit: int) -> str:
    """The last characters of a redacted text whose beginning was cut off: half a private key there goes too."""
    if limit <= 0:
        return ""
    end = PRIVATE_KEY_END.search(text)
    if end and not PRIVATE_KEY_BEGIN.search(text, 0, end.start()):
        text = "[redacted:private-key]" + text[end.end() :]
    return redacted(text)[-limit:]


def redacted_value(name: str, value: str, limit: int) -> str:
    """A value that stands under a name of its own: where the name says secret, nothing else need."""
    if says_secret(name) and is_secret_if_quoted(name, value[:limit]):
        return f"[redacted:{says_secret(name)}]"
    for header in _HEADERS:
        if name[-20:].lower().endswith(header.lower()):  # the value is judged as in the header's line
            return redacted_start(f"{header}: {value}", limit + len(header) + 2)[len(header) + 2 :]
    if len(value) <= _SHORT and len(value) <= limit:
        return _remembered(value)
    return redacted_start(value, limit)


@lru_cache(maxsize=1024)
def clean_name(name: str, limit: int = 300) -> str:
    """Of a branch, a folder and the like, which thousands of calls share."""
    return redacted_start(name, limit)


@lru_cache(maxsize=8192)
def _remembered(value: str) -> str:
    """Short values, paths above all, come again and again."""
    return redacted(value)


@lru_cache(maxsize=512)
def says_secret(name: str) -> str:
    """What kind of secret a name announces; empty for most."""
    return strength_of_name(name) if len(name) < 100 else ""


def _swept(text: str) -> str:
    if len(text) < _SHORTEST:
        return text
    found = suspects(text)
    if not any(found):
        return text
    if found.tokens:
        text = _without_tokens(_without_private_keys(text))
    if found.urls:
        text = _without_url_passwords(text)
    spans = random_values(text) if found.long_values else []
    if found.named:
        lower = _lower(text)
        spans += command_secrets(text, lower) + named_secrets(text, lower) + flag_secrets(text)
    return without(text, spans)


def _lower(text: str) -> str:
    """Lower case with every character in its place (one capital in Unicode becomes two small letters)."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.replace("İ", "I").lower()


def _without_tokens(text: str) -> str:
    for marker, literal, pattern in TOKENS:
        if literal in text:
            text = pattern.sub(marker, text)
    if "[redacted:aws-key-id]" in text:
        text = AWS_SECRET.sub(_aws_secret, text)
    return text


def _aws_secret(match: re.Match[str]) -> str:
    return "[redacted:aws-secret]" if is_random(match[0]) and not match[0].islower() else match[0]


def _without_private_keys(text: str) -> str:
    if "PRIVATE KEY" not in text:
        return text
    spans: list[Span] = []
    begin = PRIVATE_KEY_BEGIN.search(text)
    while begin:
        position = begin.end()
        following = PRIVATE_KEY_BEGIN.search(text, position)
        limit = following.start() if following else len(text)
        found = PRIVATE_KEY_END.search(text, position, limit)
        end = found.end() if found else 0
        if not end and PRIVATE_KEY_LINE.search(text, position, min(position + 200, limit)):
            end = _end_of_broken_key(text, position, limit)
        if end:
            spans.append((begin.start(), end, "private-key"))
        begin = following
    return without(text, spans)


def _end_of_broken_key(text: str, position: int, limit: int) -> int:
    """Where a key without an end marker stops; each of its lines may carry a number or a mark before it."""
    body = PRIVATE_KEY_BODY.match(text, position, limit)
    end = body.end() if body else position
    for _ in range(_MOST_KEY_LINES):
        separator = PRIVATE_KEY_LINE_END.search(text, position, limit)
        stop = separator.start() if separator else limit
        if PRIVATE_KEY_LINE.search(text, position, stop):
            end = max(end, stop)
        elif not PRIVATE_KEY_LINE_BETWEEN.fullmatch(text, position, min(stop, position + _SHORT)):
            if PRIVATE_KEY_LAST_LINE.fullmatch(text, position, stop):
                return max(end, stop)
            padded = PRIVATE_KEY_PADDED.match(text, position, stop)  # and the sentence that quotes the key goes on
            return max(end, padded.end()) if padded else end
        if not separator:
            break
        position = separator.end()
    return end


def _without_url_passwords(text: str) -> str:
    spans = [
        (match.start(2), match.end(2), "url-password")
        for pattern in (URL_PASSWORD, URL_PASSWORD_WITH_SLASH)
        for match in pattern.finditer(text)
        if not is_stand_in(match[2]) or match[2].lower() in {"password", "secret", "token"}
    ]
    spans += [(m.start(), m.end(), "url-password") for m in URL_TOKEN.finditer(text) if any(c.isdigit() for c in m[0])]
    return without(text, spans)
