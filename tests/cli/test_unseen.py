"""What goes wrong in the background is noted where `doctor` sees it."""

from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine

WORKERS = {
    "handoff save": ["handoff", "save", "--session", "s", "--saved-by", "stop"],
    "session begin": ["session", "begin", "--session", "s"],
}


@pytest.mark.parametrize("name", WORKERS)
@pytest.mark.parametrize("quiet", [True, False])
def test_a_fault_of_a_worker(name: str, quiet: bool, lessons: CommandLine) -> None:
    transcript = lessons.work / "t.jsonl"
    transcript.write_text('{"type": "user", "message": {"role": "user", "content": "Begin."}}\n')
    more = ["--transcript", str(transcript)] if name == "handoff save" else []
    Path(lessons.home, "projects").write_text("no folder")
    ended = lessons(*WORKERS[name], *more, *(["--quiet"] if quiet else []))
    assert ended.code != 0
    file = Path(lessons.home, "faults.log")
    assert file.exists() is quiet
    assert not quiet or name in file.read_text()
