"""The start (and the end) of the text in a very long JSON value, without decoding the rest."""

import json

import msgspec

NOTHING = msgspec.Raw(b"null")
_COUNTED_AT_ONCE = 1 << 16
_MOST_KEYS = 100_000
_AT_ONCE = 16_384
_GIANT = 1 << 20
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
    if len(memoryview(raw)) <= _GIANT:
        given = anything_of(raw)
        return given if isinstance(given, dict) else {}
    return {
        name: start_of(part, _AT_ONCE) if first_byte(part) == b'"' else anything_of(part)
        for name, part in parts_of(raw).items()
        if first_byte(part) == b'"' or len(memoryview(part)) <= _GIANT  # lists take many times their length
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
