"""The manifest: what is not one is unusable, what is one is read however it was written."""

import json
import os
from pathlib import Path

import pytest

from lessons.store import manifest
from tests.tables import table


def put(home: Path, data: bytes) -> str:
    (home / "lesson-manifest.json").write_bytes(data)
    return str(home)


@table(
    "data",
    [b"", b"{", b"[]", b"null", b"{}", b'{"lessons": []}', b'{"lessons": null}', b'{"lessons": {}', b"\xff\xfe{\0}\0",
     b'{"lessons": {"a": "\xff"}}', b"[" * 100_000, b"\0" * 50],
)  # fmt: skip
def test_what_is_no_manifest_is_unusable(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(manifest.UnusableManifest):
        manifest.read(put(tmp_path, data))


def test_the_stamp_is_size_and_time(tmp_path: Path) -> None:
    home = put(tmp_path, b'{"lessons": {}}')
    os.utime(tmp_path / "lesson-manifest.json", ns=(5, 1_234_567_890_123_456_789))
    assert manifest.stamp(home) == (15, 1_234_567_890_123_456_789)


@table("config", [None, [], "text", 5])
def test_settings_that_are_none_are_empty_and_a_lesson_that_is_none_is_passed_over(
    tmp_path: Path, config: object
) -> None:
    document = {"config": config, "lessons": {"a": {"slug": "a"}, "b": None, "c": ["x"], "d": "text"}}
    assert manifest.read(put(tmp_path, json.dumps(document).encode())) == ({}, {"a": {"slug": "a"}})


@table("other", [{"type": "other"}, {"version": 2}, {"version": "x"}])
def test_another_kind_or_a_later_version_is_not_guessed_at(tmp_path: Path, other: dict[str, object]) -> None:
    document = {"type": manifest.TYPE, "version": manifest.VERSION, "lessons": {}, **other}
    with pytest.raises(manifest.UnusableManifest):
        manifest.read(put(tmp_path, json.dumps(document).encode()))
