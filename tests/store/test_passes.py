"""Mutes and passes: a damaged file allows nothing and silences nothing, and each entry ends when it should."""

import json
import stat
import time
from pathlib import Path

import pytest

from lessons.store import passes
from tests.tables import table

NOW = 1_000_000.0


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path)


def file_of(home: str) -> Path:
    return Path(home) / "passes.json"


DAMAGED = ["", "{", "[]", "null", '"text"', "\xff", '{"mutes": []}', '{"mutes": null, "passes": "x"}', "\0\0"]


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_file_is_as_good_as_none(home: str, text: str) -> None:
    file_of(home).write_text(text, encoding="latin-1")
    document = passes.read(home)
    assert not passes.is_muted(document, "slug", NOW)
    assert passes.valid_pass(document, "slug", NOW) is None


def test_a_missing_file_and_a_folder_in_its_place_say_nothing(home: str) -> None:
    assert passes.read(home) == {}
    assert passes.read(home + "/nowhere") == {}
    file_of(home).mkdir()
    assert passes.read(home) == {}


@table(
    ("until", "muted"),
    [(NOW - 1, False), (NOW, False), ("soon", False), ([], False), ({}, False), (True, False), (NOW + 1, True),
     (None, True)],
)  # fmt: skip
def test_a_mute_lasts_until_its_end(until: object, muted: bool) -> None:
    document: passes.Document = {"mutes": {"slug": until}}
    assert passes.is_muted(document, "slug", NOW) is muted
    assert not passes.is_muted(document, "other", NOW)


@table(
    ("entry", "identifier"),
    [
        (None, None),
        ("p1", None),
        ({}, None),
        ({"id": "p1"}, None),
        ({"until": NOW + 1}, None),
        ({"id": 4, "until": NOW + 1}, None),
        ({"id": "p1", "until": None}, None),
        ({"id": "p1", "until": "tomorrow"}, None),
        ({"id": "p1", "until": NOW}, None),
        ({"id": "p1", "until": NOW + 1}, "p1"),
    ],
)
def test_a_pass_is_valid_until_its_end(entry: object, identifier: str | None) -> None:
    assert passes.valid_pass({"passes": {"slug": entry}}, "slug", NOW) == identifier


def test_written_and_read_again(home: str) -> None:
    end = time.time() + 100
    passes.mute(home, "for-ever", None)
    passes.mute(home, "a-while", end)
    passes.allow(home, "blocked", "p1", end)
    passes.allow(home, "blocked", "p2", end)
    document = passes.read(home)
    assert passes.is_muted(document, "for-ever", end + 1e9)
    assert passes.is_muted(document, "a-while", end - 1)
    assert not passes.is_muted(document, "a-while", end)
    assert passes.valid_pass(document, "blocked", end - 1) == "p2"
    passes.unmute(home, "for-ever")
    passes.unmute(home, "never-muted")
    assert not passes.is_muted(passes.read(home), "for-ever", 0)
    assert passes.valid_pass(passes.read(home), "blocked", end - 1) == "p2"
    assert stat.S_IMODE(file_of(home).stat().st_mode) == 0o600


def test_what_is_over_is_cleared_away_and_what_is_unknown_stays(home: str) -> None:
    file_of(home).write_text(json.dumps({"mutes": {"old": 1, "kept": None}, "future": {"a": 1}}))
    passes.mute(home, "new", None)
    assert json.loads(file_of(home).read_text()) == {"mutes": {"kept": None, "new": None}, "future": {"a": 1}}


def test_a_damaged_file_is_set_aside_before_it_is_written(home: str) -> None:
    file_of(home).write_text("{oops")
    passes.mute(home, "slug", None)
    assert passes.is_muted(passes.read(home), "slug", NOW)
    aside = [path for path in Path(home).iterdir() if ".damaged-" in path.name]
    assert [path.read_text() for path in aside] == ["{oops"]
