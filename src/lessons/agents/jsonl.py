"""Recovers the objects that can still be read from a damaged line of a JSON Lines file."""

import json
import re
from collections.abc import Callable, Iterator

# A larger line costs several times its size to mend: it counts as damaged.
_MENDED_AT_MOST = 16 * 1024 * 1024
# What is spent on stretches that cannot be read: so many attempts, and so many times the length of the line.
_ATTEMPTS = 500
_TIMES = 2
# Nothing that lies deeper is of use, and every step down costs a piece of the stack.
_DEPTH = 100

_CONTROL = bytes(range(32))
_MARK = b"\xef\xbb\xbf"  # of the byte order
_SLICE = 1 << 18
# Of a longer string in a line that is made plain only both ends stay: the line is in memory already.
_LONG_STRING = 9 << 18
_KEPT_END = 1 << 20
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)', re.DOTALL)
# No escape and no character goes on behind it.
_SAFE_CUT = re.compile(rb"[^\\]{12}(?=[\x00-\x7f\xc0-\xff])")
# Escaped backslashes and whole pairs are passed over; what the group holds is half a pair.
_LONE_SURROGATE = re.compile(
    rb"\\(?:\\|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2}))"
)
_QUESTION_MARK = b"u003f"

IsRecord = Callable[[dict[str, object]], bool]


def objects_in(line: bytes, beginning: re.Pattern[str], is_record: IsRecord) -> Iterator[dict[str, object] | None]:
    """Every object of the line in order; None stands for a stretch that holds none.

    After a stretch that cannot be read it goes on where a record of the agent begins: `beginning` tells how. What is
    found there may be a part of the broken record, so `is_record` must say that it is whole.
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
    """A line without raw control bytes, halves of surrogate pairs and the middle of very long strings."""
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
    """The value that begins there, and how far the text was looked at."""
    try:
        return _DECODER.raw_decode(text, place)
    except json.JSONDecodeError as fault:
        # An unterminated string is reported where it begins.
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
    # Python refuses to read very long numbers, and none of them means anything here.
    return int(digits) if len(digits) < 19 else None


# Not strict: control characters in a string are no reason to give up the record.
_DECODER = json.JSONDecoder(strict=False)
_WITHOUT_LONG_NUMBERS = json.JSONDecoder(strict=False, parse_int=_whole_number)


def storable(value: object, depth: int = _DEPTH) -> object:
    """The value without what nothing else can encode: lone surrogates, huge numbers, endless depth."""
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
