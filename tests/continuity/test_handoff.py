"""Everything together: the files of one save, what a second adds, and that a kill breaks nothing."""

import json
import os
import signal
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lessons.continuity import handoff as saving
from lessons.continuity.handoff import fired, save_handoff
from lessons.continuity.sessions import begin, end
from lessons.errors import KeptOut
from lessons.project_state import GitState, Handoff, SavedBy, SessionKey, time_of
from lessons.store import consent
from lessons.store.state_files import agent_invocations, all_handoffs, commit_log, context_tracking, session_states
from lessons.store.state_paths import StatePaths, state_paths_of
from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.builders.payloads import bash
from tests.builders.repository import Repository
from tests.builders.transcript import Session
from tests.sizes import size

NOW = datetime.now(UTC)


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

    def save(self, saved_by: SavedBy = "stop", after_commit: bool = False, now: datetime = NOW) -> Handoff:
        self.write()
        return save_handoff(self.key, str(self.file), saved_by, now, after_commit)

    @property
    def key(self) -> SessionKey:
        return SessionKey(self.home.path, self.repository.root, self.session.id)

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
    begin(story.key, 0, NOW - timedelta(minutes=5))
    story.commit("The till counts")
    story.run("git commit -m 'The till counts'")
    (story.repository.folder / "new.py").write_text("x")
    found = story.save("pre-compact")
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


def test_a_commit_is_joined_to_the_session_whose_call_may_have_made_it(story: Story) -> None:
    begin(story.key, 0, NOW - timedelta(minutes=5))
    story.session.lines = [line for line in story.session.lines if "Explore" not in json.dumps(line)]
    story.commit("The till counts", seconds_ago=3)
    assert story.save().recent_commits == []
    assert [each.message for each in story.save(after_commit=True).recent_commits] == ["The till counts"]
    assert [each.message for each in story.save().recent_commits] == ["The till counts"]


def test_commits_that_were_replaced_or_thrown_away_are_not_told(story: Story) -> None:
    begin(story.key, 0, NOW - timedelta(minutes=9))
    moment = f"{NOW - timedelta(seconds=60):%Y-%m-%dT%H:%M:%SZ}"
    story.commit("first try")
    story.repository.git("commit", "-q", "--amend", "-m", "kept", GIT_COMMITTER_DATE=moment)
    story.repository.git("checkout", "-q", "-b", "topic")
    story.commit("on a branch")
    story.repository.git("checkout", "-q", "main")
    story.commit("thrown away")
    story.run("git commit")
    assert [each.message for each in story.save().recent_commits] == ["kept", "on a branch", "thrown away"]
    story.repository.git("reset", "-q", "--hard", "HEAD~1")
    assert [each.message for each in story.save().recent_commits] == ["kept", "on a branch"]
    assert [each.message for each in commit_log.read(story.place)] == [
        "first try", "kept", "on a branch", "thrown away"
    ]  # fmt: skip


def test_a_commit_of_the_second_in_which_the_session_began_is_not_lost(story: Story) -> None:
    """Git counts whole seconds and cannot tell which came first."""
    second = NOW.replace(microsecond=0) - timedelta(seconds=2)
    story.repository.commit("At once", file="till.py", GIT_COMMITTER_DATE=f"{second:%Y-%m-%dT%H:%M:%S}Z")
    begin(story.key, 0, second + timedelta(milliseconds=600))
    assert [each.message for each in story.save(after_commit=True).recent_commits] == ["At once"]


def test_what_still_runs_in_the_background_is_told_until_it_or_the_session_ends(story: Story) -> None:
    call = story.session.call("Bash", {"command": "npm run dev"})
    story.session.result(call, "Command running in background with ID: b1", background="b1")
    story.session.result(
        story.session.call("Agent", {"prompt": "x"}), "", details={"status": "async_launched", "agentId": "a1"}
    )
    found = story.save()
    assert (found.running, found.worked) == (["npm run dev"], [])
    assert "Still running in the background:\n  - npm run dev" in found.context
    assert story.save("session-end").running == []
    story.session.notify("b1")
    assert story.save().running == []


def test_a_second_time_only_adds_what_is_new(story: Story) -> None:
    story.save()
    story.run("make")
    story.session.result(story.session.call("Agent", {"prompt": "Again"}), "found")
    found = story.save()
    assert [each.command for each in found.worked] == ["make"]
    assert [each.command for each in found.failed] == ["pytest -q"]
    assert [each.prompt for each in agent_invocations.read(story.place)] == ["Find it", "Again"]
    assert story.files()["hooks/.auto-save-state.json"]["saveCount"] == 2


@pytest.mark.parametrize("seen", [True, False])
def test_the_end_of_a_session_is_noted(story: Story, seen: bool) -> None:
    """Also where a save takes longer than the next session to begin, or comes to nothing."""
    story.write()
    began = NOW - timedelta(minutes=5)
    if seen:
        begin(story.key, 0, began)
    end(story.key, str(story.file), NOW - timedelta(milliseconds=1), "clear", NOW)
    state = session_states.read_of(story.place, story.session.id)
    assert state is not None
    assert (state.end_reason, state.ended_at) == ("clear", time_of(NOW - timedelta(milliseconds=1)))
    assert state.started_at == (time_of(began) if seen else f"{NOW - timedelta(minutes=1):%Y-%m-%dT%H:%M:%S}.000Z")
    assert story.files()["state/handoff.json"]["savedBy"] == "session-end"


def test_a_save_that_was_overtaken_changes_nothing(story: Story) -> None:
    later = story.save("session-end", now=NOW + timedelta(seconds=1))
    assert story.save("stop") == later
    assert story.files()["state/handoff.json"]["savedBy"] == "session-end"
    assert story.save("stop", now=NOW - timedelta(hours=1)).saved_by == "stop", "the clock was wrong before"


def test_what_is_forgotten_during_a_save_is_not_stored(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    def forget_meanwhile(root: str) -> GitState:
        consent.record_forgotten(story.home.path, session=story.session.id)
        return GitState()

    monkeypatch.setattr(saving, "state_of", forget_meanwhile)
    with pytest.raises(KeptOut):
        story.save()
    assert not [name for name in story.files() if "session-state" not in name and name != "project.json"]


def test_a_transcript_that_is_gone_leaves_what_it_said(story: Story) -> None:
    before = story.save()
    assert save_handoff(story.key, str(story.file) + ".gone", "session-end", NOW) == before
    assert story.files()["state/handoff.json"]["lastRequest"] == "Make the till count."


def test_without_a_transcript_and_without_a_repository_there_is_still_a_handoff(tmp_path: Path) -> None:
    home = DataHome(tmp_path)
    found = save_handoff(SessionKey(home.path, str(tmp_path), "s1"), str(tmp_path / "missing"), "stop", NOW)
    assert "cannot be read" in found.partial
    assert found.partial in found.context
    assert (found.git.branch, found.recent_commits) == ("", [])
    tracked = context_tracking.read_latest(StatePaths(home.path, str(tmp_path)))
    assert tracked and tracked.last_reset == int(1000 * NOW.timestamp()), "it began then"


def test_lessons_that_fired_in_this_session_alone(story: Story) -> None:
    story.home.publish(lesson(), lesson("quiet", stage="shadow"))
    for session_id in (story.session.id, "other"):
        story.home.run(bash("git stash", session=session_id))
    assert fired(story.home.path, story.session.id, "", NOW) == ["stash-leaves-files"]
    assert story.save().lessons == ["stash-leaves-files"]
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
                save_handoff(story.key._replace(id=session_id), str(file), "stop", NOW)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=save, args=pair) for pair in pairs * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not faults
    requests = {each.session_id: each.last_request for each in all_handoffs(story.place)}
    assert requests == {story.session.id: "Make the till count.", other.id: "Paint the shelf."}
    assert len(agent_invocations.read(story.place)) == 1


def saved_until(story: Story, number: int) -> int:
    """Saves in a process that is killed before its so-and-so-manieth change on disk; 0 where it made fewer."""
    process = os.fork()
    if process == 0:
        left = number

        def watch(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal left
            changes = event in ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "tempfile.mkstemp")
            writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
            if changes or writes:
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.addaudithook(watch)
            story.save()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


KILL_EVERY = size("HANDOFF_KILL_EVERY", 8)


def test_killed_anywhere_and_done_again_it_leaves_the_same_files(tmp_path: Path, repository: Repository) -> None:
    Story(tmp_path, repository).commit("The till counts")
    kills = 0
    expected: dict[str, Any] = {}
    for number in [0, *range(1, 200, KILL_EVERY)]:
        story = Story(tmp_path / str(number), repository)
        story.home.folder.mkdir(parents=True, exist_ok=True)
        story.file = tmp_path / f"{story.session.id}.jsonl"
        story.run("git commit -m 'The till counts'")
        status = saved_until(story, number)
        assert status in (0, -signal.SIGKILL)
        if number and not status:
            break
        kills += bool(status)
        if status:
            story.save()
        left = story.files()
        # A save that was complete but for its own count is one: then the second counts as the second.
        saves = [value.pop("saveCount") for name, value in left.items() if name.endswith("auto-save-state.json")]
        assert saves in ([1, 1], [2, 2])
        expected = expected or left
        assert left == expected, number
        assert len(commit_log.read(story.place)) == len(agent_invocations.read(story.place)) == 1
    assert kills > 3
