"""What the agent wrote between a failed call and its next call: only the first two sentences."""

from collections.abc import Callable
from pathlib import Path

from lessons.capture.diagnosis import LONGEST_DIAGNOSIS, first_sentences
from lessons.store.history.rows import DiagnosisRow
from tests.builders.reading import Reading, Rows, rows_of
from tests.builders.transcript import Session
from tests.tables import table

WORDS = "The flag does not exist."


def fails(session: Session, command: str = "make ship", same_message: bool = False) -> str:
    call = session.call("Bash", {"command": command}, same_message)
    session.result(call, "Exit code 1\nunknown flag", error=True)
    return call


def works(session: Session) -> None:
    session.result(session.call("Bash", {"command": "ls"}), "a.py")


def before_it(session: Session) -> None:
    session.say(WORDS)
    fails(session)


def after_a_call_that_worked(session: Session) -> None:
    works(session)
    session.say(WORDS)


def after_the_next_call(session: Session) -> None:
    fails(session)
    works(session)
    session.say(WORDS)


def in_answer_to_a_person(session: Session) -> None:
    fails(session)
    session.prompt("What does the flag do?")
    session.say(WORDS)


def only_thought(session: Session) -> None:
    fails(session)
    session.think(WORDS)


def in_the_message_of_the_call(session: Session) -> None:
    """Written before anybody knew that the call would fail, however the lines are ordered."""
    fails(session)
    session.say(WORDS, same_message=True)


def in_another_thread(session: Session) -> None:
    fails(session)
    agent = session.subagent("ab12")
    agent.say(WORDS)
    session.lines += agent.lines


def only_code(session: Session) -> None:
    fails(session)
    session.say("```\nThe flag does not exist.\n```")


def rejected_by_a_person(session: Session) -> None:
    session.result(session.call("Bash", {"command": "make ship"}), "The user doesn't want it.", denial="user-rejected")
    session.say(WORDS)


@table(
    "tell",
    [
        before_it,
        after_a_call_that_worked,
        after_the_next_call,
        in_answer_to_a_person,
        only_thought,
        in_the_message_of_the_call,
        in_another_thread,
        only_code,
        rejected_by_a_person,
    ],
)
def test_what_is_no_diagnosis(tell: Callable[[Session], None], tmp_path: Path) -> None:
    session = Session()
    tell(session)
    assert written(tmp_path, session) == []


def test_what_stands_between_the_failed_call_and_the_next(tmp_path: Path) -> None:
    session = Session()
    call = fails(session)
    session.think("What now?")
    session.say(f"{WORDS} It is called `--all`. Let me try that.")
    works(session)
    assert written(tmp_path, session) == [(call, f"{WORDS} It is called `--all`.")]


def test_calls_of_one_message_are_answered_together(tmp_path: Path) -> None:
    """The client runs them as they arrive: the result of the first may stand before the second call."""
    session = Session()
    first = fails(session)
    second = fails(session, "make sell", same_message=True)
    session.say(WORDS)
    assert written(tmp_path, session) == [(first, WORDS), (second, WORDS)]


def test_a_tag_may_stand_in_it(tmp_path: Path) -> None:
    session = Session()
    call = fails(session)
    session.say(f"{WORDS}\nIt is --all.\n\n#lesson\nproblem: p is not there\nsolution: s\n#/lesson")
    rows = rows_of(tmp_path / "s.jsonl", session.data())
    assert sorted(kind for kind, _ in rows.named) == ["diagnosis", "tag"]
    assert written(tmp_path, session) == [(call, f"{WORDS} It is --all.")]


def test_secrets_are_taken_out(tmp_path: Path) -> None:
    session = Session()
    call = fails(session)
    token = "ghp_" + "a1B2" * 9
    session.say(f"The token {token} has expired. I take another one.")
    assert written(tmp_path, session) == [(call, "The token [redacted:github-token] has expired. I take another one.")]


def test_a_file_that_grows_gives_the_same(tmp_path: Path) -> None:
    session = Session()
    for number in range(3):
        fails(session, f"make ship-{number}")
        session.say(f"{WORDS} This is number {number}.")
        works(session)
    whole = rows_of(tmp_path / "whole.jsonl", session.data())
    reading = Reading(tmp_path / "grows.jsonl")
    (tmp_path / "grows.jsonl").touch()
    for line in session.data().splitlines(keepends=True):
        reading.grow(line[:-1])
        reading.grow(line[-1:])
    assert len(diagnoses(whole)) == 3
    assert diagnoses(reading.rows) == diagnoses(whole)


def written(folder: Path, session: Session) -> list[tuple[str, str]]:
    return diagnoses(rows_of(folder / "session.jsonl", session.data()))


def diagnoses(rows: Rows) -> list[tuple[str, str]]:
    """The failed call and the words, in the order of the file."""
    return [(row.tool_use_id, row.text) for row in rows.named.values() if isinstance(row, DiagnosisRow)]


@table(
    ("text", "sentences"),
    [
        ("", ""),
        ("   \n\n", ""),
        ("```\nmake: no rule\n```", ""),
        ("> quoted from a file", ""),
        ("    indented code", ""),
        ("\x1b[2J\u202e", ""),
        ("One. Two. Three.", "One. Two."),
        ("The module is missing, e.g. on macOS. I use another one! And more.", None),
        ("Let me fix this:\n\n- first\n- second", "Let me fix this: first"),
        ("## What went wrong\nThe file `a.py` is not here. So I look.", "What went wrong The file `a.py` is not here."),
        ('I see (it is "old".) Next? Never.', 'I see (it is "old".) Next?'),
        ("Version 1.2.3 of foo.py fails\nbecause of J. Doe's edit. Then.", None),
        ("word " * 500, None),
    ],
)
def test_the_first_two_sentences(text: str, sentences: str | None) -> None:
    found = first_sentences(text)
    if sentences is not None:
        assert found == sentences
    assert len(found) <= LONGEST_DIAGNOSIS and "\n" not in found


def test_an_abbreviation_ends_no_sentence() -> None:
    found = first_sentences("The module is missing, e.g. on macOS. I use another one! And more.")
    assert found == "The module is missing, e.g. on macOS. I use another one!"
