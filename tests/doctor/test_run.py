"""Every check as a list of values, as a page would ask for it."""

from pathlib import Path

from lessons.agents.base import Check
from lessons.doctor.run import each_check
from tests.builders.home import DataHome
from tests.builders.lessons import lesson

SUBJECTS = [
    "data home",
    "lessons.json",
    "triggers and examples",
    "config.json",
    "trusted projects",
    "manifest",
    "session starts",
    "hook index",
    "hook start",
    "faults",
    "history.db",
    "memory",
    "notes of agents",
    "background scans",
    "backups",
]


def test_every_subject_is_checked_in_order(home: DataHome, tmp_path: Path) -> None:
    home.publish(lesson())
    checks = [*each_check(str(home.folder), None, str(tmp_path / "settings.json"), str(tmp_path / "client.json"))]
    assert all(isinstance(check, Check) for check in checks)
    assert [check.name for check in checks][: len(SUBJECTS)] == SUBJECTS
    assert all(check.ok for check in checks[: len(SUBJECTS)])
    assert all(check.fix for check in checks if not check.ok)


def test_two_identical_records_without_a_name_are_no_bug(home: DataHome, tmp_path: Path) -> None:
    record = {"id": "", "slug": "", "summary": "", "problem": "", "solution": "", "needsReview": True}
    home.publish(record, record)
    checks = [*each_check(str(home.folder), None, str(tmp_path / "settings.json"), str(tmp_path / "client.json"))]
    assert [check.name for check in checks][: len(SUBJECTS)] == SUBJECTS
