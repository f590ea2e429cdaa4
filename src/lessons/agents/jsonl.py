"""JSON lines that are damaged or very long: the readable objects of a line, and the ends of a text undecoded."""

import json
import re
from collections.abc import Callable, Iterator

import msgspec

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


# The start (and the end) of the text in a very long JSON value, without decoding the rest.
NOTHING = msgspec.Raw(b"null")
_COUNTED_AT_ONCE = 1 << 16
_MOST_KEYS = 100_000
_AT_ONCE = 16_384
_GIANT_ARGUMENTS = 1 << 20
_WIDEST = 12  # maximum bytes per character: two escapes of six
_SPARE = 256
_BROKEN = 8  # maximum characters that a cut leaves of one
_LOOK_BACK = 4_096
_LIST, _TEXT = b'["'
_TEXT_BLOCKS = ("text", "input_text", "output_text")


class _Block(msgspec.Struct, gc=False):
    type: str = ""
    text: msgspec.Raw = NOTHING


anything_of = msgspec.json.Decoder().decode
_text_of = msgspec.json.Decoder(str).decode
_blocks_of = msgspec.json.Decoder(list[_Block]).decode
_parts_of = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def first_byte(raw: msgspec.Raw) -> bytes:
    """Returns enough to distinguish an object, a list, a string and nothing."""
    return bytes(memoryview(raw)[:1])


def parts_of(raw: msgspec.Raw) -> dict[str, msgspec.Raw]:
    """Returns the fields of an object, undecoded; empty for anything else, or with an excessive number of fields."""
    view = memoryview(raw)
    keys = 0
    for start in range(0, len(view), _COUNTED_AT_ONCE):
        piece = bytes(view[start : start + _COUNTED_AT_ONCE])
        keys += piece.count(b'":') - piece.count(b'\\":')
    return _parts_of(raw) if first_byte(raw) == b"{" and keys <= _MOST_KEYS else {}


def start_of(raw: msgspec.Raw, limit: int) -> str:
    """Returns the first characters of a JSON string, or of the texts in a list of blocks."""
    return ends_of(raw, limit, 0)


def ends_of(raw: msgspec.Raw, first: int, last: int) -> str:
    """Returns the first and the last characters, joined by a newline if something between them is left out."""
    view = memoryview(raw)
    kind = view[0] if len(view) else 0
    if kind == _LIST:
        texts = [ends_of(block.text, first, last) for block in _blocks_of(raw) if block.type in _TEXT_BLOCKS]
        return _ends("\n".join(texts), first, last)
    if kind != _TEXT:
        return ""
    if len(view) <= max(_AT_ONCE, _WIDEST * (first + last) + _SPARE):
        return _ends(_text_of(raw), first, last)  # never half a character: the decoder would have refused it
    beginning = _beginning(view[1:-1], first)
    return f"{beginning}\n{_ending(view[1:-1], last)}" if last else beginning


def arguments_of(raw: msgspec.Raw) -> dict[object, object]:
    """Returns the arguments of a call; of very long ones only the start of each string, and no very long list."""
    if len(memoryview(raw)) <= _GIANT_ARGUMENTS:
        given = anything_of(raw)
        return given if isinstance(given, dict) else {}
    return {
        name: start_of(part, _AT_ONCE) if first_byte(part) == b'"' else anything_of(part)
        for name, part in parts_of(raw).items()
        if first_byte(part) == b'"' or len(memoryview(part)) <= _GIANT_ARGUMENTS  # lists take many times their length
    }


def _ends(text: str, first: int, last: int) -> str:
    if len(text) <= first + last:
        return text
    return f"{text[:first]}\n{text[-last:]}" if last else text[:first]


def _beginning(view: memoryview, count: int) -> str:
    """Returns the first characters; reads more than asked, to exclude what the cut has broken."""
    found = _string(bytes(view[: 2 * count + _SPARE]))
    if len(found) < count + _BROKEN:
        found = _string(bytes(view[: _WIDEST * count + _SPARE]))
    return found[:count]


def _ending(view: memoryview, count: int) -> str:
    found = _string(_from(view, len(view) - 2 * count - _SPARE))
    if len(found) < count + _BROKEN:
        found = _string(_from(view, len(view) - _WIDEST * count - _SPARE))
    return found[-count:]


def _from(view: memoryview, start: int) -> bytes:
    """Returns the rest from there, but does not split a backslash from its character."""
    before = bytes(view[max(0, start - _LOOK_BACK) : start])
    if not before.strip(b"\\"):
        before = bytes(view[:start])
    backslashes = len(before) - len(before.rstrip(b"\\"))
    return bytes(view[start + backslashes % 2 :])


def _string(piece: bytes) -> str:
    """Decodes a piece of a JSON string; drops the few characters of an escape cut at its end."""
    text = piece.decode("utf-8", "replace")
    for cut in range(7):
        try:
            return _plain(json.loads(f'"{text[: len(text) - cut]}"', strict=False))
        except ValueError:
            continue
    return ""


def _plain(text: object) -> str:
    if not isinstance(text, str):
        return ""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
