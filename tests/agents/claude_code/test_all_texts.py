"""A reader that wants every text gets them all; the reader for mining gets the same as before."""

from lessons.agents.claude_code.transcript import Transcripts
from lessons.agents.events import Event, Prompted, Returned, Wrote
from tests.builders.transcript import Session


def events(session: Session, all_texts: bool) -> list[Event]:
    records = Transcripts(all_texts).sound_records(session.data(), 0)
    assert records is not None
    return [event for record in records for event in record.events if not hasattr(event, "arguments")]


def test_what_was_said_and_what_a_call_that_went_well_printed() -> None:
    session = Session()
    session.say("Nothing to learn here.")
    session.result(session.call("TaskCreate", {"subject": "s"}), "Task #1 created", details={"task": {"id": "1"}})
    assert [event.text for event in events(session, False) if isinstance(event, Returned)] == [""]
    said, returned = events(session, True)
    assert isinstance(said, Wrote)
    assert said.text == "Nothing to learn here."
    assert isinstance(returned, Returned)
    assert (returned.text, returned.verdict.outcome) == ("Task #1 created", "ok")


def test_what_a_script_or_an_accepted_plan_asked_for() -> None:
    session = Session()
    session.prompt("Implement the following plan:\n\n# Coins")
    session.prompt("Count.", source="sdk")
    session.prompt("a machine's words", meta=True)
    session.notify("b1")
    assert not [event for event in events(session, False) if isinstance(event, Prompted)]
    assert [event.text for event in events(session, True) if isinstance(event, Prompted)] == [
        "Implement the following plan:\n\n# Coins",
        "Count.",
    ]


def test_a_command_has_its_name_unless_it_is_for_the_client() -> None:
    session = Session()
    for name, arguments in (("/fix", "12"), ("/compact", "keep all"), ("/clear", "")):
        session.prompt(f"<command-name>{name}</command-name>\n<command-args>{arguments}</command-args>")
    assert [event.text for event in events(session, True) if isinstance(event, Prompted)] == ["/fix 12"]
    assert [event.text for event in events(session, False) if isinstance(event, Prompted)] == ["12", "keep all"]
