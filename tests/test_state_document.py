"""docs/STATE.md names exactly the files and fields that exist."""

import re
from pathlib import Path

import msgspec

from lessons import project_state
from lessons.store import state, state_files
from lessons.store.state_paths import StatePaths
from tests.tables import table

TEXT = (Path(__file__).parents[1] / "docs" / "STATE.md").read_text(encoding="utf-8")
RECORDS = {
    name: kind
    for name, kind in vars(project_state).items()
    if isinstance(kind, type)
    and issubclass(kind, msgspec.Struct)
    and not name.startswith("_")
    and kind is not project_state.Alert
}
SECTIONS = dict(re.findall(r"^### (\w+)\n(.*?)(?=^### |\Z)", TEXT, re.MULTILINE | re.DOTALL))


def test_there_is_a_section_for_each_record() -> None:
    assert SECTIONS.keys() == {*RECORDS, "WarnedFiles"}


@table("name", RECORDS)
def test_every_field_is_told_of(name: str) -> None:
    cells = re.findall(r"^\| (`.*?) \|", SECTIONS[name], re.MULTILINE)
    told = [field for cell in cells for field in re.findall(r"`(\w+)`", cell)]
    assert sorted(told) == sorted(RECORDS[name].__struct_encode_fields__)


def test_every_file_is_told_of_with_its_record() -> None:
    rows = dict(re.findall(r"^\| `(\S+?)` \| (?:an? )?(\w+)", TEXT, re.MULTILINE))
    place = StatePaths("/data", "/shop")
    shared = state_files.files_of(place)
    files = {
        path.removeprefix(place.own + "/"): "WarnedFiles" if kind == dict[str, str] else kind.__name__
        for path, kind in shared.items()
    }
    assert {path: rows.get(path) for path in files} == files
    assert {path for path in rows if path.startswith(("hooks/", "state/"))} - {"state/sessions/<session>/"} == {*files}
    for name in (file.name for file in state_files.SESSION_FILES):
        assert f"`{name}`" in TEXT


def test_what_is_kept_out_of_commits_is_told_of() -> None:
    assert re.findall(r"^    (\.claude/\S+)$", TEXT, re.MULTILINE) == [*state.IGNORED]
