"""Daily copies: one a day, the newest kept, nothing else touched."""

import os
from datetime import date, timedelta
from pathlib import Path

from lessons.store.backup import daily_copy

FIRST_DAY = date(2026, 2, 20)


def test_a_missing_file_makes_no_copy_and_no_folder(tmp_path: Path) -> None:
    assert daily_copy(str(tmp_path / "lessons.json"), str(tmp_path / "backups"), FIRST_DAY) is None
    assert not (tmp_path / "backups").exists()


def test_the_first_copy_of_a_day_stays(tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    file.write_text("morning")
    copy = daily_copy(str(file), str(tmp_path / "backups"), FIRST_DAY)
    file.write_text("evening")
    assert daily_copy(str(file), str(tmp_path / "backups"), FIRST_DAY) is None
    assert copy == str(tmp_path / "backups" / "lessons-2026-02-20.json")
    assert Path(copy).read_text() == "morning"


def test_the_newest_fourteen_are_kept_and_files_of_others_too(tmp_path: Path) -> None:
    file, folder = tmp_path / "lessons.json", tmp_path / "backups"
    file.write_text("x")
    folder.mkdir()
    others = ["lessons-mine.json", "history-2020-01-01.json", "notes.txt"]
    for name in others:
        (folder / name).touch()
    days = [FIRST_DAY + timedelta(number) for number in range(20)]
    for day in days:
        daily_copy(str(file), str(folder), day)
    assert sorted(os.listdir(folder)) == sorted([*others, *(f"lessons-{day}.json" for day in days[-14:])])
