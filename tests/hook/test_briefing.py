"""The user's line at a session start: once, within its size, never to the model; prepared in the background."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from lessons.store import logs, session_start_files
from lessons.store.state_paths import StatePaths
from tests.builders.home import DataHome
from tests.builders.payloads import session_start
from tests.builders.reviews import planted_log, text_of


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    return tmp_path / "shop"


def look(home: DataHome, project: Path) -> dict[str, Any]:
    """What the hook starts in the background."""
    command = [sys.executable, "-I", "-m", "lessons", "alerts", "--auto", "--cwd", str(project), "--json"]
    environment = home.environment(LESSONS_HOME=home.path)
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    document: dict[str, Any] = json.loads(ended.stdout)
    return document


def start(home: DataHome, project: Path, session: str = "s1", source: str = "startup") -> tuple[str, str]:
    """The message for the person, and the words for the model."""
    payload = session_start(source, session, cwd=str(project))
    code, answer = home.run(payload)
    assert code == 0
    answer = answer or {}
    return answer.get("systemMessage", ""), json.dumps(answer.get("hookSpecificOutput", {}))


def test_nothing_to_say(home: DataHome, project: Path) -> None:
    look(home, project)
    assert start(home, project)[0] == ""


def test_once_to_the_person_and_never_to_the_model(home: DataHome, project: Path) -> None:
    logs.record_fault(home.path, "PreToolUse", "it broke")
    look(home, project)
    message, model = start(home, project)
    assert message == "lessons: 1 fault logged in the last 7 days. Run `lessons doctor`."
    assert "fault" not in model
    assert start(home, project, "s2")[0] == ""


@pytest.mark.parametrize("source", ["resume", "clear", "compact", "fork"])
def test_only_where_a_session_begins(source: str, home: DataHome, project: Path) -> None:
    logs.record_fault(home.path, "PreToolUse", "it broke")
    look(home, project)
    assert start(home, project, source=source)[0] == ""
    assert start(home, project)[0]


def test_two_sessions_at_once_show_it_once(home: DataHome, project: Path) -> None:
    logs.record_fault(home.path, "PreToolUse", "it broke")
    look(home, project)
    told: list[str] = []
    threads = [threading.Thread(target=lambda n=n: told.append(start(home, project, f"s{n}")[0])) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(bool(each) for each in told) == 1


def test_an_excluded_project_is_told_nothing(home: DataHome, project: Path) -> None:
    logs.record_fault(home.path, "PreToolUse", "it broke")
    look(home, project)
    home.publish(excludeProjects=[str(project)])
    assert start(home, project)[0] == ""


def test_what_is_too_old_or_damaged_is_not_shown(home: DataHome, project: Path) -> None:
    own = StatePaths(home.path, str(project)).own
    prepared_briefing_file = Path(own) / "briefing"
    prepared_briefing_file.parent.mkdir(parents=True)
    prepared_briefing_file.write_text("Old news.\nfaults\n", encoding="utf-8")
    os.utime(prepared_briefing_file, (0, 0))
    assert start(home, project)[0] == ""
    prepared_briefing_file.unlink()
    prepared_briefing_file.mkdir()
    assert start(home, project)[0] == ""


def test_the_hook_starts_the_look_itself_once_for_new_reviews(home: DataHome, project: Path) -> None:
    (project / "log.md").write_text(text_of(planted_log(60)), encoding="utf-8")
    environment = home.environment(LESSONS_HOME=home.path)
    command = [sys.executable, "-m", "lessons", "code-review", "sync", "log.md"]
    subprocess.run(command, cwd=project, env=environment, check=True, capture_output=True)
    assert (home.folder / "fired" / "alerts").exists()  # the mark of a look just done, in another project
    place = StatePaths(home.path, str(project))
    assert session_start_files.reviews_are_due(place)
    start(home, project)
    file, give_up = Path(place.state) / "consolidation.json", threading.Event()
    for _ in range(1200):
        if file.exists():
            break
        give_up.wait(0.05)
    assert json.loads(file.read_text("utf-8"))["consolidationNumber"] == 1, home.faults()
    assert not session_start_files.reviews_are_due(place)


def test_what_was_taken_while_another_was_prepared_is_counted(home: DataHome) -> None:
    own = str(home.folder)
    session_start_files.write_briefing(own, "one", ["faults"])
    assert session_start_files.take_briefing(own) == "one"
    session_start_files.write_briefing(own, "one", ["faults"])  # by a look that began before it was shown
    assert session_start_files.take_briefing(own) == ""
    assert session_start_files.take_shown_alerts(own) == ["faults"]
