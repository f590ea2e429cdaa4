"""Recovers the readable objects from a damaged line of a JSON Lines file."""

import json
import re
from collections.abc import Callable, Iterator

# Repairing a larger line costs several times its size: it counts as damaged.
_MENDED_AT_MOST = 16 * 1024 * 1024
# Limits for unreadable ranges: attempts, and a multiple of the line length.
_ATTEMPTS = 500
_TIMES = 2
# Deeper values are not useful, and every level costs stack.
_DEPTH = 100

_CONTROL = bytes(range(32))
_MARK = b"\xef\xbb\xbf"  # byte order mark
_SLICE = 1 << 18
# In a simplified line only both ends of a longer string stay: the line is already in memory.
_LONG_STRING = 9 << 18
_KEPT_END = 1 << 20
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)', re.DOTALL)
# No escape and no character continues after it.
_SAFE_CUT = re.compile(rb"[^\\]{12}(?=[\x00-\x7f\xc0-\xff])")
# Skips escaped backslashes and whole pairs; the group matches half a pair.
_LONE_SURROGATE = re.compile(
    rb"\\(?:\\|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2}))"
)
_QUESTION_MARK = b"u003f"

IsRecord = Callable[[dict[str, object]], bool]


def objects_in(line: bytes, beginning: re.Pattern[str], is_record: IsRecord) -> Iterator[dict[str, object] | None]:
    """Yields every object of the line in order; None replaces a range without any.

    After an unreadable range it continues at the next start of a record, found by `beginning`. An object there may be
    part of the broken record, so `is_record` must confirm that it is whole.
    """
    if len(line) > _MENDED_AT_MOST:
        yield None
        return
    text = line.replace(b"\0", b"").decode("utf-8", "replace").lstrip("\ufeff").strip()
    place, lost = 0, False
    attempts, room = _ATTEMPTS, _TIMES * len(text)
    while place < len(text):
        value, end = _decoded(text, place)
        if isinstance(value, dict) and (not lost or is_record(value)):
            yield value
            place, lost = _next_word(text, end), False
            continue
        if not lost:
            yield None
            lost = True
        attempts, room = attempts - 1, room - (end - place)
        found = beginning.search(text, place + 1) if attempts and room > 0 else None
        place = found.start() if found else len(text)


def made_plain(line: bytes) -> bytearray:
    """Returns a line without raw control bytes, half surrogate pairs and the middle of very long strings."""
    plain = bytearray()
    for first, last in _kept(line):
        plain += b"\\n" if plain else b""
        for start in range(first, last, _SLICE):
            plain += line[start : min(last, start + _SLICE)].translate(None, _CONTROL)
    if b"\\ud" in plain or b"\\uD" in plain:
        for found in _LONE_SURROGATE.finditer(plain):
            if found[1]:
                plain[found.start(1) : found.end(1)] = _QUESTION_MARK
    return plain


def _kept(line: bytes) -> Iterator[tuple[int, int]]:
    at = len(_MARK) if line.startswith(_MARK) else 0
    for found in _STRING.finditer(line):
        start, end = found.span()
        if end - start > _LONG_STRING:
            first = _SAFE_CUT.search(line, start + _KEPT_END, end - _KEPT_END)
            last = _SAFE_CUT.search(line, end - _KEPT_END, end - 1)
            if first and last:
                yield at, first.end()
                at = last.end()
    yield at, len(line)


def _decoded(text: str, place: int) -> tuple[object, int]:
    """Returns the value that starts there, and how far the text was read."""
    try:
        return _DECODER.raw_decode(text, place)
    except json.JSONDecodeError as fault:
        # An unterminated string is reported at its start.
        return None, len(text) if fault.msg.startswith("Unterminated") else fault.pos
    except RecursionError:
        return None, len(text)
    except ValueError:
        return _decoded_without_long_numbers(text, place)


def _decoded_without_long_numbers(text: str, place: int) -> tuple[object, int]:
    try:
        return _WITHOUT_LONG_NUMBERS.raw_decode(text, place)
    except (ValueError, RecursionError):
        return None, len(text)


def _next_word(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _whole_number(digits: str) -> int | None:
    # Python refuses very long numbers, and none of them matters here.
    return int(digits) if len(digits) < 19 else None


# Not strict: control characters in a string must not lose the record.
_DECODER = json.JSONDecoder(strict=False)
_WITHOUT_LONG_NUMBERS = json.JSONDecoder(strict=False, parse_int=_whole_number)


def storable(value: object, depth: int = _DEPTH) -> object:
    """Returns the value without what cannot be encoded: lone surrogates, huge numbers, excessive depth."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, int) and value.bit_length() > 63:
        return None
    if not isinstance(value, list | dict):
        return value
    if not depth:
        return None
    if isinstance(value, list):
        return [storable(item, depth - 1) for item in value]
    return {storable(key): storable(item, depth - 1) for key, item in value.items()}
