"""trusted.json: nothing is trusted by accident, and what is noted is there whole."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lessons.errors import DamagedFile
from lessons.store import trusted
from lessons.store.trusted import Trust
from tests.tables import table

SHOP = Trust("2026-01-01T00:00:00Z", {"a.json": "sha256:1"}, {"b.json": ""})


def test_without_a_file_nothing_is_trusted(tmp_path: Path) -> None:
    assert trusted.read(str(tmp_path)) == {}
    assert not trusted.remove(str(tmp_path), "/shop")


@table(
    "text",
    ["", "{", "[]", '{"projects": []}', '{"projects": {"/shop": {}}}', '{"projects": {"/shop": {"taken": 1}}}', "\xff"],
)
def test_a_damaged_file_is_refused_and_left_as_it_is(text: str, tmp_path: Path) -> None:
    file = tmp_path / "trusted.json"
    file.write_text(text, encoding="latin-1")
    for act in (
        lambda: trusted.read(str(tmp_path)),
        lambda: trusted.note(str(tmp_path), "/shop", SHOP),
        lambda: trusted.remove(str(tmp_path), "/shop"),
    ):
        with pytest.raises(DamagedFile, match="lessons trust"):
            act()
    assert file.read_text(encoding="latin-1") == text


def test_what_is_noted_is_read_and_forgotten(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    trusted.note(home, "/shop", SHOP)
    trusted.note(home, "/garden\udc80", Trust("", {}))
    assert trusted.read(home) == {"/garden\udc80": Trust("", {}), "/shop": SHOP}
    assert trusted.remove(home, "/shop")
    assert list(trusted.read(home)) == ["/garden\udc80"]


def test_the_file_is_the_users_alone(tmp_path: Path) -> None:
    trusted.note(str(tmp_path), "/shop", SHOP)
    assert stat.S_IMODE((tmp_path / "trusted.json").stat().st_mode) == 0o600
    document = json.loads((tmp_path / "trusted.json").read_text(encoding="utf-8"))
    assert document["projects"]["/shop"]["trustedAt"] == "2026-01-01T00:00:00Z"


def test_of_two_at_once_neither_is_lost(tmp_path: Path) -> None:
    roots = [f"/project-{number}" for number in range(12)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda root: trusted.note(str(tmp_path), root, SHOP), roots))
    assert sorted(trusted.read(str(tmp_path))) == sorted(roots)
