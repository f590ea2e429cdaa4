"""The state of a session survives a compaction and its end: commands, commits, and who did what."""

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from lessons.continuity.restore import MOST_BYTES, SUMMARISER_WORDS
from tests.builders.repository import Repository
from tests.e2e.rig.conversation import Conversation
from tests.e2e.rig.model import COMPACTION, SUMMARY
from tests.e2e.rig.script import Turn, bash, call, say
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import World

RECORD = "Record of this session's own work"
COMMAND = "printf 'one\\ntwo\\n' | tail -n 1"
FAILING = "ls /nowhere/at/all"
COMMIT = "git commit -q --allow-empty -m 'Open the shop'"


def repository(world: World) -> Repository:
    made = Repository(world.project)
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    made.commit("Begin", GIT_COMMITTER_DATE="2020-01-01T00:00:00Z")  # no second of the session
    return made


def work(name: str = "") -> list[Turn]:
    return [bash(f"{COMMAND}{name}"), bash(FAILING)]


def eventually(look: Callable[[], Any], world: World) -> Any:
    """What is found by those who work in the background; nothing waits for them but this."""
    give_up = time.monotonic() + 30
    while not (found := look()):
        assert time.monotonic() < give_up, f"it never came to that; faults: {world.faults()}"
        time.sleep(0.05)
    return found


def record_in(text: str) -> str:
    """What our hook said about the work before; it ends where the words about reports begin."""
    return RECORD + text.partition(RECORD)[2].partition("\n\n")[0]


def assert_restored(text: str) -> None:
    assert text.count(RECORD) == 1
    record = record_in(text)
    assert len(record.encode()) <= MOST_BYTES
    assert f"exit 0: {COMMAND}" in record
    assert f"exit 2: {FAILING}" in record
    assert "on branch main" in record and "Do the accounts." in record


def session_of(world: World, talk: Conversation) -> dict[str, Any]:
    known = json.loads(world.lessons("session", "--session", talk.session, "--json"))
    return dict(known["session"] or {})


def test_automatic_compaction_restores_the_handoff(installed: World) -> None:
    repository(installed)
    turns = [*work(), bash("true").using(2_000_000), bash("true"), say("Done.")]

    talk = installed.run("Do the accounts.", turns)

    [summary] = talk.on(COMPACTION)
    assert SUMMARISER_WORDS in summary.last
    assert SUMMARY in talk.request(3).text
    assert_restored(talk.request(3).text)
    assert talk.request(4).text.count(RECORD) == 1
    assert RECORD not in talk.request(2).text
    assert installed.faults() == ""
    seen("claude-code", "PreCompact", "the handoff is saved before and restored after a compaction", True)


def test_two_sessions_at_once_in_one_project(installed: World) -> None:
    repository(installed)
    meeting = threading.Barrier(2, timeout=60)

    def live(name: str) -> Conversation:
        turns = [
            bash(f"echo {name}").after(meeting.wait),
            bash("true").using(2_000_000).after(meeting.wait),
            bash("true").after(meeting.wait),
            say("Done."),
        ]
        return installed.run(f"Work on {name}.", turns)

    with ThreadPoolExecutor(2) as pool:
        talks = dict(zip(("alpha", "beta"), pool.map(live, ("alpha", "beta")), strict=True))

    for name, other in (("alpha", "beta"), ("beta", "alpha")):
        record = record_in(talks[name].request(2).text)
        assert f"echo {name}" in record and f"Work on {name}." in record
        assert other not in record
    eventually(lambda: all(session_of(installed, talk).get("endedAt") for talk in talks.values()), installed)
    assert {session_of(installed, talk)["session"] for talk in talks.values()} == {1, 2}


def test_commits_and_the_end_of_a_session(installed: World) -> None:
    before = repository(installed).head()
    twice = f"{COMMIT} && git commit -q --allow-empty -m 'Close it'"
    other_ways = "git -C . commit -q --allow-empty -m 'Count the money'"

    def assert_joined_at_once() -> None:
        eventually(lambda: len(commits(installed)) == 2, installed)

    turns = [bash(twice), bash(other_ways).after(assert_joined_at_once), say("Done.")]

    talk = installed.run("Commit it.", turns)

    found = eventually(lambda: len(commits(installed)) == 3 and commits(installed), installed)
    assert [each["message"] for each in found] == ["Open the shop", "Close it", "Count the money"]
    assert {each["sessionId"] for each in found} == {talk.session}
    assert before not in {each["hash"] for each in found}
    state = eventually(lambda: (known := session_of(installed, talk)).get("endedAt") and known, installed)
    assert (state["endReason"], state["session"], state["previous"]) == ("other", 1, None)
    assert state["process"] > 0


def commits(world: World) -> list[dict[str, Any]]:
    return list(json.loads(world.lessons("commits", "--json"))["commits"])


def test_the_next_session_is_offered_the_handoff_once(installed: World) -> None:
    repository(installed)
    first = installed.run("Do the accounts.", [*work(), say("Done.")])
    eventually(lambda: session_of(installed, first).get("endedAt"), installed)

    second = installed.run("Hello.", [say("Done.")])
    third = installed.run("Hello.", [say("Done.")])

    assert second.request(0).text.count("`lessons handoff show`") == 1
    assert "Do the accounts." in second.request(0).text and RECORD not in second.request(0).text
    assert "Do the accounts." not in third.request(0).text
    seen("claude-code", "SessionStart", "the next session is offered the handoff", True)


def test_state_in_a_project_that_was_set_up(installed: World) -> None:
    repository(installed)
    installed.lessons("init", "--project")
    reading = [call("Read", {"file_path": str(installed.project / "Begin")})]

    talk = installed.run("Do the accounts.", [*reading, bash(COMMIT), *work(), say("Done.")])

    eventually(lambda: session_of(installed, talk).get("endedAt"), installed)
    folder = installed.project / ".claude"
    hooks = {".session-state.json", ".context-tracking-state.json", ".auto-save-state.json"}
    assert hooks | {".commit-tracker-state.json"} <= {file.name for file in (folder / "hooks").iterdir()}
    assert {"handoff.json", "commit-log.jsonl"} <= {file.name for file in (folder / "state").iterdir()}
    handoff = json.loads((folder / "state" / "handoff.json").read_text("utf-8"))
    assert (handoff["version"], handoff["sessionId"]) == (2, talk.session)
    assert handoff["filesRead"] == ["Begin"]
    assert (folder / "state" / "sessions" / talk.session / "handoff.json").exists()
    assert not list(installed.data.glob("projects/*/state/handoff.json"))
