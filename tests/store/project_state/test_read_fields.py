"""A look at a state file never waits, never raises and believes nothing that is not a plain JSON object."""

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lessons.store.project_state.read_fields import LARGEST, fields_of, number, text
from tests.tables import table

NOT_FIELDS = [b"", b"null", b"[]", b'"text"', b"3", b"{", b'{"a": 1} {"b": 2}', b"\xff\xfe{}", b"[" * 100_000, b"nul\0"]


@table("content", NOT_FIELDS)
def test_what_is_no_object_has_no_fields(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_bytes(content)
    assert fields_of(str(file)) == {}


def test_what_is_no_plain_file_has_none_either(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    real.write_text('{"a": 1}')
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(real)
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "link", "folder", "nothing", "real.json/below", "nul\0byte", "x" * 5000):
        assert fields_of(f"{tmp_path}/{name}") == {}, name


def test_too_large_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_text('{"a": "%s"}' % ("x" * LARGEST))
    assert fields_of(str(file)) == {}


@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text()))
def test_fields_of_the_asked_type_alone(document: dict[str, object]) -> None:
    for name, value in document.items():
        assert text(document, name) == (value if isinstance(value, str) else "")
        assert number(document, name) == (value if isinstance(value, int) else 0)
