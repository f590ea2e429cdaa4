"""What a person queues while the agent works is a prompt: at once, and only once."""

from pathlib import Path

import pytest

from lessons.capture.run import Options, run
from lessons.store.history.find import Query
from lessons.store.history.history import History
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session
from tests.flows.scanning import in_one_go, transcripts_of
from tests.flows.tables import assert_same, tables

RULE = "no, always use just instead of make in this repo"


@pytest.fixture
def home(tmp_path: Path) -> ScannedHome:
    return ScannedHome(tmp_path)


def working(source: str | None = "typed") -> Session:
    session = Session("s1")
    session.prompt("begin", source=source)
    session.result(session.call("Bash", {"command": "make all"}), "done")
    return session


def prompts(home: ScannedHome, session: Session) -> list[object]:
    session.write(home.transcripts)
    home.scan()
    return [row[0] for row in home.rows("SELECT text FROM prompts ORDER BY time, position")]


def test_a_queued_prompt_that_is_never_written_again_is_stored(home: ScannedHome) -> None:
    session = working()
    session.queue(RULE)
    assert prompts(home, session) == ["begin", RULE]
    assert home.rows("SELECT sureness, project FROM prompts WHERE uuid = ''") == [("likely", "/home/somebody/shop")]


@pytest.mark.parametrize("how", ["in the turn", "after it", "with others", "with spaces"])
def test_one_that_arrives_is_stored_once_under_the_name_it_arrives_with(how: str, home: ScannedHome) -> None:
    session = working()
    session.queue(RULE)
    assert prompts(home, session) == ["begin", RULE]  # while it waits
    if how == "in the turn":
        session.queued_command(RULE)
    elif how == "after it":
        session.prompt(RULE, source="queued")
    elif how == "with spaces":
        session.prompt(f"\n  {RULE} \n", source="queued")
    else:
        session.prompt(f"one more thing\n{RULE}\nand another", source="queued")
    assert len(prompts(home, session)) == 2
    assert home.rows("SELECT count(*) FROM prompts WHERE uuid = ''") == [(0,)]
    with History.for_reading(home.path) as history:
        assert history.search(Query(words=["just"])).total == 1


def test_the_same_words_queued_twice_wait_twice(home: ScannedHome) -> None:
    session = working()
    session.queue("go on")
    session.result(session.call("Bash", {"command": "just all"}), "done")
    session.queue("go on")
    assert prompts(home, session) == ["begin", "go on", "go on"]


def test_what_was_taken_back_is_no_prompt(home: ScannedHome) -> None:
    session = working()
    session.queue(RULE)
    assert prompts(home, session) == ["begin", RULE]
    session.take_back(RULE)
    assert prompts(home, session) == ["begin"]


def test_what_a_script_queues_and_then_asks_for_is_no_prompt(home: ScannedHome) -> None:
    session = Session("s1")
    session.queue("begin")
    session.prompt("begin", source="sdk")
    session.result(session.call("Bash", {"command": "make all"}), "done")
    assert prompts(home, session) == []


def test_secrets_in_it_are_not_stored(home: ScannedHome) -> None:
    session = working()
    session.queue("use ghp_0123456789abcdefghijABCDEFGHIJ012345 for that")
    assert "ghp_0123" not in str(prompts(home, session))
    assert b"ghp_0123" not in home.file.read_bytes()


def test_mined_while_it_waited_or_after_it_came_is_the_same(home: ScannedHome, tmp_path: Path) -> None:
    session = working()
    session.queue(RULE)
    session.write(home.transcripts)
    run(home.path, Options([str(home.transcripts)], processes=1))
    assert home.rows("SELECT count(*) FROM corrections") == [(1,)]
    session.result(session.call("Bash", {"command": "ls"}), "a")
    session.prompt(RULE, source="queued")
    session.write(home.transcripts)
    run(home.path, Options([str(home.transcripts)], processes=1))
    assert transcripts_of(home.transcripts)
    assert_same(in_one_go(home.transcripts, tmp_path / "once"), tables(home.home, home.transcripts))
