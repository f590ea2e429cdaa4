"""Everything together: the files of one save, what a second adds, and that a kill breaks nothing."""

import json
import os
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lessons.continuity.begin import begin
from lessons.continuity.end import end
from lessons.continuity.save_handoff import fired, save_handoff
from lessons.errors import Busy
from lessons.session import Handoff, SavedBy
from lessons.store.lock import locked
from lessons.store.project_state import handoff as handoffs
from lessons.store.project_state import session_state
from lessons.store.project_state.state_files import agent_invocations, commit_log
from lessons.store.project_state.state_paths import StatePaths, state_paths_of
from lessons.store.project_state.timestamps import time_of
from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.builders.payloads import bash
from tests.builders.repository import Repository
from tests.builders.transcript import Session
from tests.sizes import size

NOW = datetime.now(UTC)
KEEPER = str(Path(__file__).with_name("keeper.py"))


class Story:
    """A repository, a session in it, and its transcript."""

    def __init__(self, folder: Path, repository: Repository) -> None:
        self.home = DataHome(folder)
        self.repository = repository
        self.session = Session("story", cwd=repository.root)
        self.file = folder / f"{self.session.id}.jsonl"
        self.session.prompt("Make the till count.")
        self.session.result(self.session.call("Read", {"file_path": f"{repository.root}/till.py"}), "1 x")
        self.session.result(self.session.call("Agent", {"subagent_type": "Explore", "prompt": "Find it"}), "found")
        self.run("pytest -q", "Exit code 1\nE  AssertionError", error=True)

    def run(self, command: str, text: str = "", error: bool = False) -> None:
        self.session.result(self.session.call("Bash", {"command": command}), text, error=error)

    def commit(self, message: str, seconds_ago: float = 60) -> str:
        moment = f"{NOW - timedelta(seconds=seconds_ago):%Y-%m-%dT%H:%M:%SZ}"
        return self.repository.commit(message, file="till.py", text=message, GIT_COMMITTER_DATE=moment)

    def write(self) -> None:
        """As if it happened just now."""
        for line in self.session.lines:
            if "timestamp" in line:
                line["timestamp"] = f"{NOW - timedelta(minutes=1):%Y-%m-%dT%H:%M:%S}.000Z"
        self.file.write_bytes(self.session.data())

    def keep(self, saved_by: SavedBy = "stop", after_commit: bool = False) -> Handoff:
        self.write()
        place = (self.home.path, self.repository.root, self.session.id, str(self.file))
        return save_handoff(*place, saved_by, NOW, after_commit=after_commit)

    @property
    def place(self) -> StatePaths:
        return state_paths_of(self.home.path, self.repository.root)

    def files(self) -> dict[str, Any]:
        """Every file of the state, by its path below the place, but locks and what a kill left half written."""
        found = {}
        for path in sorted(Path(self.place.own).rglob("*")):
            if path.is_file() and path.suffix not in (".lock", ".tmp"):
                text = path.read_text(encoding="utf-8")
                name = str(path.relative_to(self.place.own))
                found[name] = (
                    [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else json.loads(text)
                )
        return found


@pytest.fixture
def story(tmp_path: Path, repository: Repository) -> Story:
    repository.commit("before", GIT_COMMITTER_DATE="2026-01-01T00:00:00Z", GIT_AUTHOR_DATE="2026-01-01T00:00:00Z")
    return Story(tmp_path, repository)


def test_all_files_are_written(story: Story) -> None:
    begin(story.home.path, story.repository.root, story.session.id, 0, NOW - timedelta(minutes=5))
    story.commit("The till counts")
    story.run("git commit -m 'The till counts'")
    (story.repository.folder / "new.py").write_text("x")
    found = story.keep("pre-compact")
    assert (found.version, found.session, found.saved_by, found.session_id) == (2, 1, "pre-compact", story.session.id)
    assert found.git.branch == "main"
    assert story.repository.head().startswith(found.git.head)
    assert found.git.uncommitted_count == 1
    assert found.files_read == ["till.py"]
    assert [each.message for each in found.recent_commits] == ["The till counts"]
    assert [(each.command, each.exit_code) for each in found.failed] == [("pytest -q", 1)]
    assert "exit 1: pytest -q" in found.context
    assert "Make the till count." in found.offer
    files = story.files()
    own = f"state/sessions/{story.session.id}"
    assert files["state/handoff.json"] == files[f"{own}/handoff.json"]
    assert files["state/handoff.json"]["context"] == found.context
    assert files["hooks/.context-tracking-state.json"]["filesRead"] == ["till.py"]
    assert files["hooks/.auto-save-state.json"] == {"lastSave": int(1000 * NOW.timestamp()), "saveCount": 1}
    assert [line["agent"] for line in files["state/agent-invocations.jsonl"]] == ["Explore"]
    assert [line["session"] for line in files["state/agent-invocations.jsonl"]] == [1]
    assert [line["sessionId"] for line in files["state/commit-log.jsonl"]] == [story.session.id]
    assert files[f"{own}/work.json"]["offset"] == story.file.stat().st_size


def test_a_commit_is_joined_to_the_session_whose_call_may_have_made_it(story: Story) -> None:
    begin(story.home.path, story.repository.root, story.session.id, 0, NOW - timedelta(minutes=5))
    story.session.lines = [line for line in story.session.lines if "Explore" not in json.dumps(line)]
    story.commit("The till counts", seconds_ago=3)
    assert story.keep().recent_commits == []
    assert [each.message for each in story.keep(after_commit=True).recent_commits] == ["The till counts"]
    assert [each.message for each in story.keep().recent_commits] == ["The till counts"]


def test_what_was_committed_while_none_of_our_calls_ran_is_not_ours(story: Story) -> None:
    begin(story.home.path, story.repository.root, story.session.id, 0, NOW - timedelta(minutes=9))
    story.commit("by the person", seconds_ago=200)
    story.commit("by the session", seconds_ago=60)
    story.run("git commit -m 'by the session'")
    story.commit("by the person later", seconds_ago=20)
    assert [each.message for each in story.keep().recent_commits] == ["by the session"]


def test_commits_that_were_replaced_or_thrown_away_are_not_told(story: Story) -> None:
    begin(story.home.path, story.repository.root, story.session.id, 0, NOW - timedelta(minutes=9))
    moment = f"{NOW - timedelta(seconds=60):%Y-%m-%dT%H:%M:%SZ}"
    story.commit("first try")
    story.repository.git("commit", "-q", "--amend", "-m", "kept", GIT_COMMITTER_DATE=moment)
    story.repository.git("checkout", "-q", "-b", "topic")
    story.commit("on a branch")
    story.repository.git("checkout", "-q", "main")
    story.commit("thrown away")
    story.run("git commit")
    assert [each.message for each in story.keep().recent_commits] == ["kept", "on a branch", "thrown away"]
    story.repository.git("reset", "-q", "--hard", "HEAD~1")
    assert [each.message for each in story.keep().recent_commits] == ["kept", "on a branch"]
    assert [each.message for each in commit_log.read(story.place)] == [
        "first try", "kept", "on a branch", "thrown away"
    ]  # fmt: skip


def test_a_commit_of_the_second_in_which_the_session_began_is_not_lost(story: Story) -> None:
    """Git counts whole seconds and cannot tell which came first."""
    second = NOW.replace(microsecond=0) - timedelta(seconds=2)
    story.repository.commit("At once", file="till.py", GIT_COMMITTER_DATE=f"{second:%Y-%m-%dT%H:%M:%S}Z")
    begin(story.home.path, story.repository.root, story.session.id, 0, second + timedelta(milliseconds=600))
    assert [each.message for each in story.keep(after_commit=True).recent_commits] == ["At once"]


def test_what_still_runs_in_the_background_is_told_until_it_or_the_session_ends(story: Story) -> None:
    call = story.session.call("Bash", {"command": "npm run dev"})
    story.session.result(call, "Command running in background with ID: b1", background="b1")
    story.session.result(
        story.session.call("Agent", {"prompt": "x"}), "", details={"status": "async_launched", "agentId": "a1"}
    )
    found = story.keep()
    assert (found.running, found.worked) == (["npm run dev"], [])
    assert "Still running in the background:\n  - npm run dev" in found.context
    assert story.keep("session-end").running == []
    story.session.notify("b1")
    assert story.keep().running == []


def test_a_second_time_only_adds_what_is_new(story: Story) -> None:
    story.keep()
    story.run("make")
    story.session.result(story.session.call("Agent", {"prompt": "Again"}), "found")
    found = story.keep()
    assert [each.command for each in found.worked] == ["make"]
    assert [each.command for each in found.failed] == ["pytest -q"]
    assert [each.prompt for each in agent_invocations.read(story.place)] == ["Find it", "Again"]
    assert story.files()["hooks/.auto-save-state.json"]["saveCount"] == 2


def test_a_session_that_nobody_saw_begin_gets_its_number(story: Story) -> None:
    assert story.keep().session == 1
    assert begin(story.home.path, story.repository.root, story.session.id, 5, NOW).session == 1
    assert begin(story.home.path, story.repository.root, "another", 5, NOW).session == 2


@pytest.mark.parametrize("seen", [True, False])
def test_the_end_of_a_session_is_noted(story: Story, seen: bool) -> None:
    """Also where a save takes longer than the next session to begin, or comes to nothing."""
    story.write()
    began = NOW - timedelta(minutes=5)
    if seen:
        begin(story.home.path, story.repository.root, story.session.id, 0, began)
    given = (story.home.path, story.repository.root, story.session.id, str(story.file))
    end(*given, NOW - timedelta(milliseconds=1), "clear", NOW)
    state = session_state.read_of(story.place, story.session.id)
    assert state is not None
    assert (state.end_reason, state.ended_at) == ("clear", time_of(NOW - timedelta(milliseconds=1)))
    assert state.started_at == (time_of(began) if seen else f"{NOW - timedelta(minutes=1):%Y-%m-%dT%H:%M:%S}.000Z")
    assert story.files()["state/handoff.json"]["savedBy"] == "session-end"


@pytest.mark.parametrize(("saved_by", "waits"), [("pre-compact", False), ("stop", True), ("session-end", True)])
def test_a_save_behind_another_is_not_lost(story: Story, saved_by: SavedBy, waits: bool) -> None:
    """One in the background has the time; a compaction has not."""
    story.keep()
    held = [locked(str(file).removesuffix(".lock")) for file in Path(story.place.own).glob("keep-*.lock")]
    assert len(held) == 1
    released = threading.Event()

    def hold() -> None:
        with held[0]:
            taken.set()
            released.wait(7)

    taken = threading.Event()
    thread = threading.Thread(target=hold)
    thread.start()
    assert taken.wait(10)
    try:
        if waits:
            assert story.keep(saved_by).saved_by == saved_by
        else:
            with pytest.raises(Busy):
                story.keep(saved_by)
    finally:
        released.set()
        thread.join()


def test_without_a_transcript_and_without_a_repository_there_is_still_a_handoff(tmp_path: Path) -> None:
    home = DataHome(tmp_path)
    found = save_handoff(home.path, str(tmp_path), "s1", str(tmp_path / "missing"), "stop", NOW)
    assert "cannot be read" in found.partial
    assert found.partial in found.context
    assert (found.git.branch, found.recent_commits) == ("", [])


def test_lessons_that_fired_in_this_session_alone(story: Story) -> None:
    story.home.publish(lesson(), lesson("quiet", stage="shadow"))
    for session_id in (story.session.id, "other"):
        story.home.run(bash("git stash", session=session_id))
    assert fired(story.home.path, story.session.id, "", NOW) == ["stash-leaves-files"]
    assert story.keep().lessons == ["stash-leaves-files"]
    assert fired(story.home.path, "nobody", "", NOW) == []


def test_two_sessions_at_once_keep_their_own(story: Story, tmp_path: Path) -> None:
    other = Session("other", cwd=story.repository.root)
    other.prompt("Paint the shelf.")
    (tmp_path / "other.jsonl").write_bytes(other.data())
    story.write()
    pairs = [(story.session.id, story.file), (other.id, tmp_path / "other.jsonl")]
    faults: list[BaseException] = []

    def save(session_id: str, file: Path) -> None:
        try:
            for _ in range(3):
                save_handoff(story.home.path, story.repository.root, session_id, str(file), "stop", NOW)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=save, args=pair) for pair in pairs * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not faults
    requests = {each.session_id: each.last_request for each in handoffs.all_of(story.place)}
    assert requests == {story.session.id: "Make the till count.", other.id: "Paint the shelf."}
    assert len(agent_invocations.read(story.place)) == 1


KILL_EVERY = size("HANDOFF_KILL_EVERY", 8)
TRACER = """
import os, runpy, signal, sys
left = int(sys.argv.pop(1))
def watch(event, arguments):
    global left
    changes = event in ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "tempfile.mkstemp")
    if changes or (event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(watch)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def killed_at(story: Story, number: int) -> int:
    """How a save ends that is killed before its so-and-so-manieth change on disk; 0 where it made fewer."""
    arguments = [story.home.path, story.repository.root, story.session.id, str(story.file), NOW.isoformat()]
    command = [sys.executable, "-c", TRACER, str(number), KEEPER, *arguments]
    done = subprocess.run(command, env={**os.environ, **story.home.environment()}, capture_output=True, timeout=60)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode


def test_killed_anywhere_and_done_again_it_leaves_the_same_files(tmp_path: Path, repository: Repository) -> None:
    Story(tmp_path, repository).commit("The till counts")
    kills = 0
    expected: dict[str, Any] = {}
    for number in [0, *range(1, 200, KILL_EVERY)]:
        story = Story(tmp_path / str(number), repository)
        story.home.folder.mkdir(parents=True, exist_ok=True)
        story.file = tmp_path / f"{story.session.id}.jsonl"
        story.run("git commit -m 'The till counts'")
        story.write()
        status = killed_at(story, number)
        if number and not status:
            break
        kills += bool(status)
        if status:
            assert killed_at(story, 0) == 0
        left = story.files()
        # A save that was complete but for its own count is one: then the second counts as the second.
        saves = [value.pop("saveCount") for name, value in left.items() if name.endswith("auto-save-state.json")]
        assert saves in ([1, 1], [2, 2])
        expected = expected or left
        assert left == expected, number
        assert len(commit_log.read(story.place)) == len(agent_invocations.read(story.place)) == 1
    assert kills > 5
