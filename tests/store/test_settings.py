"""Writing one setting: what is wrong or damaged stays as it was, what a person wrote stays where it was."""

from pathlib import Path

import pytest

from lessons import config
from lessons.errors import Busy, DamagedFile, NotFound, Refused
from lessons.store import settings
from lessons.store.settings import Trust, set_value
from tests.tables import table

REFUSED = [
    ("minPriority", "11", Refused, "minPriority is 11: write a whole number from 1 to 10."),
    ("minPriority", "high", Refused, 'minPriority is "high": write a whole number'),
    ("minPriorty", "2", NotFound, "minPriorty is not a setting: perhaps minPriority is meant."),
    ("scoring", "{}", Refused, "scoring is a group of settings: name one of them"),
    ("scoring.multiSessionBonus", "2.5", Refused, "scoring.multiSessionBonus is 2.5: write a whole number"),
]


@table(("key", "text", "error", "sentence"), REFUSED)
def test_nothing_is_written_for_what_is_refused(
    tmp_path: Path, key: str, text: str, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error) as refused:
        set_value(str(tmp_path / "home"), key, text)
    assert str(refused.value).startswith(sentence)
    assert not (tmp_path / "home").exists()


def test_what_an_editor_saves_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "config.json"
    file.write_text('{"minPriority": 3}')
    monkeypatch.setattr(settings, "put", lambda document, key, value: file.write_text("{}") and document.clear())
    with pytest.raises(Busy, match="saved by another program"):
        set_value(str(tmp_path), "minPriority", "2")
    assert file.read_text() == "{}"


@table("text", ["{", "[]", "", '{"scoring": 1}'])
def test_a_damaged_file_is_never_overwritten(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.json"
    file.write_text(text)
    with pytest.raises((DamagedFile, Refused)):
        set_value(str(tmp_path), "scoring.multiSessionBonus", "2")
    assert file.read_text() == text


def test_order_indentation_and_unknown_keys_stay(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text('{\n    "mine": {"b": 1, "a": [1]},\n    "minPriority": 3,\n    "scanPaths": ["/b", "/a"]\n}\n')
    assert set_value(str(tmp_path), "minPriority", "2") == 2
    assert file.read_text() == (
        '{\n    "mine": {\n        "b": 1,\n        "a": [1]\n    },\n'
        '    "minPriority": 2,\n    "scanPaths": ["/b", "/a"]\n}\n'
    )


def test_one_wrong_key_does_not_keep_a_person_from_correcting_another(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"minPriority": 99, "dedupScope": "never"}')
    set_value(str(tmp_path), "minPriority", "2")
    set_value(str(tmp_path), "dedupScope", "session")
    assert config.load(str(tmp_path), {}).dedup_scope == "session"


@table(
    ("key", "text", "value"),
    [
        ("dedupScope", "session", "session"),
        ("dedupScope", '"session"', "session"),
        ("autoPromote", "true", True),
        ("autoPromote", "on", True),
        ("scanPaths", '["/a", "/b"]', ["/a", "/b"]),
        ("scanPaths", "~/mine", ["~/mine"]),
        ("minConfidence", "0.75", 0.75),
        ("scoring.singleOccurrencePenalty", "-3", -3),
    ],
)
def test_what_is_set_is_what_is_read(tmp_path: Path, key: str, text: str, value: object) -> None:
    home = str(tmp_path / "new")
    assert set_value(home, key, text) == value
    assert config.get(home, key, {}) == value


SHOP = Trust("2026-01-01T00:00:00Z", {"a.json": "sha256:1"}, {"b.json": ""})


@table(
    "text",
    ["", "{", "[]", '{"projects": []}', '{"projects": {"/shop": {}}}', '{"projects": {"/shop": {"taken": 1}}}', "\xff"],
)
def test_a_damaged_file_is_refused_and_left_as_it_is(text: str, tmp_path: Path) -> None:
    file = tmp_path / "trusted.json"
    file.write_text(text, encoding="latin-1")
    for act in (
        lambda: settings.trusted_projects(str(tmp_path)),
        lambda: settings.trust(str(tmp_path), "/shop", SHOP),
        lambda: settings.distrust(str(tmp_path), "/shop"),
    ):
        with pytest.raises(DamagedFile, match="lessons trust"):
            act()
    assert file.read_text(encoding="latin-1") == text


def test_what_is_noted_is_read_and_forgotten(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    settings.trust(home, "/shop", SHOP)
    settings.trust(home, "/garden\udc80", Trust("", {}))
    assert settings.trusted_projects(home) == {"/garden\udc80": Trust("", {}), "/shop": SHOP}
    assert settings.distrust(home, "/shop")
    assert list(settings.trusted_projects(home)) == ["/garden\udc80"]
