"""JSON by the C scanner: what is not JSON is refused, everything else means what `json` says."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lessons.store.json_text import decode, encode
from tests.sizes import examples
from tests.tables import table

texts = st.text(st.characters())
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


@table(
    "text",
    ["", " ", "{", "}", "[1,]", "{'a': 1}", '{"a" 1}', '{"a": 1', "[1] [2]", "nul", "tru", "01", "+1", ".5", "1.",
     '"', '"\\x"', '"\\u12"', "{1: 2}", "\ufeff{}", "\0", "# x\n{}", "[1]x", "\x0b1", '{"a": 1}}'],
)  # fmt: skip
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        decode(text)


@given(st.text('{}[]",:0123456789.eE+-\\ truefalsn\n', max_size=30))
@example('{"a": 1, "a": 2}')
@example("-0")
@example("1e5")
@settings(max_examples=examples(300), deadline=None)
def test_agrees_with_json_on_anything(text: str) -> None:
    try:
        expected = json.loads(text, strict=False)
    except ValueError:
        with pytest.raises(ValueError):
            decode(text)
    else:
        assert decode(text) == expected


@given(values)
@example("\ud800")
@example({"\udfff": ["\U0001f600", "\x7f", "\0"]})
@example([1e300, -0.0, 10**30, 5e-324])
@settings(max_examples=examples(200), deadline=None)
def test_encoding_round_trips_in_ascii(value: object) -> None:
    text = encode(value)
    assert text.isascii()
    assert decode(text) == value
    assert json.loads(text) == value


@table("value", [b"bytes", {1, 2}, object(), {1: 2}, [b""]])
def test_what_has_no_json_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        encode(value)
