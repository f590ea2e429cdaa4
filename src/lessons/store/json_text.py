"""Reads and writes JSON text without importing `json`, where its C parts are available."""

try:
    from _json import encode_basestring_ascii as _quote
    from _json import make_scanner as _make_scanner
except ImportError:  # another interpreter
    _make_scanner = None  # type: ignore[misc, assignment]

_SPACE = " \t\n\r"


class _Settings:
    """The attributes that the C scanner reads: plain values, and control characters in strings allowed."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    @staticmethod
    def parse_constant(name: str) -> None:
        """Returns None: NaN and the infinities are not JSON."""

    memo: dict[str, str] = {}  # noqa: RUF012  (the scanner's own attribute)


def decode(text: str) -> object:
    """Returns the value of a JSON document; raises ValueError if it is not one."""
    if _make_scanner is None:
        import json

        return json.loads(text, strict=False)
    start, end = 0, len(text)
    while start < end and text[start] in _SPACE:
        start += 1
    try:
        value, stop = _make_scanner(_Settings)(text, start)  # type: ignore[arg-type]
    except (StopIteration, SystemError):
        # The C scanner needs an exception of the module `json`; if that is not loaded, it raises none at all.
        raise ValueError("not JSON") from None
    if text[stop:].strip(_SPACE):
        raise ValueError("more than one JSON document")
    return value


def encode(value: object) -> str:
    """Returns a JSON document in ASCII, for any strings."""
    if _make_scanner is None:
        import json

        return json.dumps(value, separators=(",", ":"))
    if isinstance(value, str):
        return _quote(value)
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quote(key)}:{encode(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(encode(item) for item in value) + "]"
    raise TypeError(f"{type(value).__name__} has no JSON form")
