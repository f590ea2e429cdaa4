"""Without worker processes, as on Windows, one process reads everything and finds the same."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from lessons.capture import pool
from tests.builders.transcript import Session
from tests.flows.scanning import in_one_go


def test_without_pipes_to_wait_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "projects"
    for name in ("one", "two", "three"):
        session = Session(name)
        session.result(session.call("Bash", {"command": f"make {name}"}), "Exit code 2\nno rule", error=True)
        session.write(root)
    expected = in_one_go(root, tmp_path / "several", processes=2)

    def refuse(*arguments: object, **options: object) -> None:
        pytest.fail("a process was started")

    monkeypatch.setattr(pool, "os", SimpleNamespace(name="nt"))
    monkeypatch.setattr(pool, "subprocess", SimpleNamespace(Popen=refuse, PIPE=subprocess.PIPE))
    assert in_one_go(root, tmp_path / "one", processes=2) == expected
    assert len(expected["calls"]) == 3
