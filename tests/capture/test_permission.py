"""Which records the user lets be stored, and what may be remembered of the others."""

import pytest

from lessons.agents.base import Line, Record
from lessons.agents.events import Called, Event, Prompted, Returned, Setting, Titled
from lessons.agents.outcomes import Verdict
from lessons.capture.memory import WITHHELD, Memory, memory_from
from lessons.capture.permission import Permission
from lessons.capture.project import Projects
from lessons.capture.setting import placed
from lessons.store.consent import Consent, consent
from lessons.store.forgotten import Forgotten, digest

HUSH = consent(["/hush"], Forgotten())
NOON = "2026-01-01T12:00:00.000Z"
PAST = consent([], Forgotten(projects={digest("/hush"): NOON}))
BEFORE = consent([], Forgotten(before=NOON))
SESSION = consent([], Forgotten(sessions=frozenset({digest("s1")})))
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
    reading = Reading(consent([], Forgotten()))
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
