"""What a transcript states once applies to all its records; only the first line decides whose file it is."""

from pathlib import Path

import pytest

from lessons.agents.base import Line, Record
from lessons.agents.events import Called, Event, Prompted, Returned, Setting, Titled, Verdict
from lessons.scan.memory import (
    WITHHELD,
    Memory,
    Permission,
    asked,
    ended_task,
    folder_of,
    memory_from,
    placed,
    sureness,
)
from lessons.scan.project import Projects
from lessons.store.consent import Consent, Forgotten, digest
from lessons.store.history.history import History
from lessons.store.history.search import Query
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session

FIRST = Setting(session_id="s1", agent_id="a1", sidechain=True, typed=False, cwd="/shop", branch="main")


def _record(*events: Setting | Called) -> Record:
    return Record(Line(0), "any", True, 0, list(events))


def test_without_one_nothing_changes() -> None:
    record, memory = _record(Called("c", "c", "", "Bash", {})), Memory()
    assert placed(record, memory) is record and sureness(Prompted("go", "sure"), memory) == "sure"
    assert asked(Called("c", "c", "", "Bash", {}), memory).model == ""


def test_it_holds_until_another_one_says_something_else() -> None:
    memory = Memory()
    placed(_record(FIRST), memory)
    placed(_record(Setting(cwd="/shop/web", model="gpt-5.5")), memory)
    line = placed(_record(Called("c", "c", "", "Bash", {})), memory).line
    assert (line.session_id, line.agent_id, line.sidechain) == ("s1", "a1", True)
    assert (line.cwd, line.branch) == ("/shop/web", "main")
    assert asked(Called("c", "c", "", "Bash", {}), memory).model == "gpt-5.5"
    assert sureness(Prompted("go", "sure"), memory) == "no"


def test_a_copied_beginning_does_not_make_it_the_file_of_another() -> None:
    memory = Memory()
    placed(_record(FIRST), memory)
    placed(_record(Setting(session_id="parent", cwd="/elsewhere")), memory)
    assert memory.setting is not None and (memory.setting.session_id, memory.setting.cwd) == ("s1", "/shop")


def test_a_folder_that_a_line_names_holds_until_another_line_names_one() -> None:
    memory = Memory()
    nowhere = Line(0)
    for cwd, expected in (("", ""), ("/shop", "/shop"), ("", "/shop"), ("/web", "/web"), ("", "/web")):
        placed(Record(Line(0, cwd=cwd), "any", True, 0, []), memory)
        assert folder_of(nowhere, memory) == expected
    assert (memory.first_cwd, folder_of(Line(0, cwd="/api"), memory)) == ("/shop", "/api")


def test_beside_a_setting_the_folder_of_a_line_is_its_own_alone() -> None:
    memory = Memory()
    placed(_record(FIRST), memory)
    placed(Record(Line(0, cwd="/elsewhere"), "any", True, 0, [Called("c", "c", "", "Bash", {})]), memory)
    assert folder_of(Line(0), memory) == "/shop"
    assert memory.folders == {"/shop"} and memory.sessions == {"s1"}


def test_the_end_of_a_task_belongs_to_the_call_that_started_it() -> None:
    memory = Memory()
    asked(Called("poll", "poll", "", "write_stdin", {}, task_id="77"), memory)
    still, none = ended_task(memory, Returned("poll", Verdict("unknown", None), "", "77"), False)
    assert (still.verdict.outcome, still.task_id, none) == ("ok", "", None)
    result, end = ended_task(memory, Returned("poll", Verdict("failed", 2), "no"), True)
    assert result.verdict.outcome == "ok" and end is not None
    assert (end.task_id, end.verdict.exit_code, end.text) == ("77", 2, "no")
    other = Returned("poll", Verdict("failed", 2), "no")
    assert ended_task(memory, other, True) == (other, None), "it is told once"


def test_a_call_that_was_stopped_says_nothing_about_its_task() -> None:
    memory = Memory()
    asked(Called("poll", "poll", "", "write_stdin", {}, task_id="77"), memory)
    stopped = Returned("poll", Verdict("interrupted", None), "aborted by user")
    assert ended_task(memory, stopped, True) == (stopped, None)


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


HUSH = Consent(("/hush",), Forgotten())
NOON = "2026-01-01T12:00:00.000Z"
PAST = Consent((), Forgotten(projects={digest("/hush"): NOON}))
BEFORE = Consent((), Forgotten(before=NOON))
SESSION = Consent((), Forgotten(sessions=frozenset({digest("s1")})))
ASKED = Prompted("go", "sure")


class Reading:
    """A file in the reading."""

    def __init__(self, allowed: Consent, memory: Memory | None = None) -> None:
        self.memory = memory or Memory()
        self.permission = Permission("stem", self.memory, Projects(), allowed)

    def refuses(self, event: Event | None, cwd: str = "", time: str = "", session: str = "") -> bool:
        line = Line(0, session_id=session, time=time, cwd=cwd)
        events = [event] if event else []
        record = placed(
            Record(line, "any", True, 0, events, isinstance(event, Prompted | Called | Returned)), self.memory
        )
        return bool(events) and self.permission.refuses_events(record, self.permission.place_of(record.line))

    def again(self, allowed: Consent) -> "Reading | None":
        """The next reading of the file, as far as it is remembered."""
        memory = memory_from(self.permission.stored_memory())
        return Reading(allowed, memory) if memory else None


@pytest.mark.parametrize("first", [Setting(cwd="/hush"), None])
def test_a_folder_that_is_named_once_holds_for_what_follows(first: Setting | None) -> None:
    reading = Reading(HUSH)
    reading.refuses(first, "/hush")
    assert reading.refuses(ASKED) and reading.refuses(Titled("x"))
    assert (reading.memory.refused, reading.memory.allowed) == (True, False)


@pytest.mark.parametrize("first", [Setting("s1", cwd="/shop"), None])
def test_a_session_that_is_named_once_holds_for_what_follows(first: Setting | None) -> None:
    reading = Reading(SESSION)
    reading.refuses(first, "/shop", session="s1")
    assert reading.refuses(ASKED)
    assert not reading.refuses(ASKED, session="s2")


def test_without_a_wish_everything_is_stored() -> None:
    reading = Reading(Consent((), Forgotten()))
    assert not reading.refuses(Titled("before any folder")) and not reading.refuses(ASKED, "/hush")
    assert (reading.memory.refused, reading.memory.allowed) == (False, True)


def test_what_is_not_said_and_has_no_folder_is_left_out() -> None:
    reading = Reading(HUSH)
    assert reading.refuses(Titled("x")) and not reading.refuses(ASKED)


def test_the_result_of_a_refused_call_is_refused_wherever_it_stands() -> None:
    reading = Reading(HUSH)
    returned = Returned("c", Verdict("ok", None), "")
    assert reading.refuses(Called("c", "c", "", "Bash", {}), "/hush")
    assert reading.refuses(returned, "/shop")
    assert not reading.refuses(returned, "/shop"), "once"


def test_a_record_without_a_time_is_as_old_as_the_one_before_it() -> None:
    for allowed in (PAST, BEFORE):
        reading = Reading(allowed)
        assert reading.refuses(ASKED, "/hush", "2026-01-01T11:00:00.000Z")
        assert reading.refuses(Titled("x"))
        assert not reading.refuses(ASKED, "/hush", "2026-01-01T13:00:00.000Z")
        assert not reading.refuses(Titled("x"))


# What is stored of the memory.


@pytest.mark.parametrize("first", [Setting("s1", cwd="/hush"), None])
@pytest.mark.parametrize("allowed", [HUSH, PAST, SESSION])
def test_a_memory_that_names_what_is_refused_is_not_stored(first: Setting | None, allowed: Consent) -> None:
    reading = Reading(allowed)
    reading.refuses(first, "/hush", "2026-01-01T11:00:00.000Z", "s1")
    reading.refuses(ASKED)
    stored = reading.permission.stored_memory()
    assert stored == WITHHELD and memory_from(stored) is None
    assert '"refused":true' in stored, "another wish has the file read again"


def test_a_folder_in_which_something_is_stored_is_remembered() -> None:
    reading = Reading(PAST)
    reading.refuses(Setting("s1", cwd="/hush"), time="2026-01-01T11:00:00.000Z")
    assert reading.again(PAST) is None
    assert not reading.refuses(ASKED, time="2026-01-01T13:00:00.000Z")
    later = reading.again(PAST)
    assert later is not None and not later.refuses(ASKED, time="2026-01-01T14:00:00.000Z")
    assert later.memory.folders == {"/hush"} and later.again(PAST) is not None


def test_a_folder_that_was_left_is_not_remembered() -> None:
    reading = Reading(HUSH)
    assert not reading.refuses(ASKED, "/shop") and reading.refuses(ASKED, "/hush")
    assert reading.again(HUSH) is None
    assert not reading.refuses(ASKED, "/shop")
    later = reading.again(HUSH)
    assert later is not None and later.memory.folders == {"/shop"}
