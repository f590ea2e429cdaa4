"""What memory says of another project, of this one, how long it may be, and when an error repeats."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.inject.notes import MOST_BYTES, loop_note, loop_words, text_of
from lessons.mistakes.recall import Recall, failures_in
from lessons.store.history.episodes import Diagnosis, FailedCall
from lessons.store.session_failures import RecentFailures
from tests.builders.memory import Remembered, failed
from tests.tables import table

BOTH = pytest.mark.parametrize("is_error", [False, True])


def recalled(folder: Path, failure: FailedCall, said: str = "", is_own: bool = True) -> Recall:
    memory = Remembered()
    memory.failures = [failure]
    memory.said = {failure.tool_use_id: Diagnosis(said, "", "", "", failure.tool_use_id)} if said else {}
    (found,) = failures_in(memory.index(folder))
    return Recall(found, 1.0, is_own, "option:x", 2, 1)


@table(
    ("command", "worked", "shown"),
    [
        ("deploy acme --key-of acme", "deploy acme --key-for acme", ("“deploy --key-of”", "“deploy --key-for”")),
        ("deploy --key=acme -pacme", "deploy --kind:acme -p acme", ("“deploy --key -p”", "“deploy --kind -p”")),
        ("cd /srv/acme && deploy --fast", "cd /srv/acme && deploy --slow", ("“deploy --fast”", "“deploy --slow”")),
        ("/opt/acme/bin/deploy acme", "ACME=acme deploy 'acme' --yes", ("“deploy”", "“deploy --yes”")),
        ("deploy <<E\nacme --acme\nE", "deploy 2> acme.log --all", ("“deploy”", "“deploy --all”")),
    ],
)
@BOTH
def test_another_project_reads_only_program_options_and_normal_error(
    tmp_path: Path, command: str, worked: str, shown: tuple[str, str], is_error: bool
) -> None:
    failure = failed(command, "Exit code 1\nno key 'acme' in /srv/acme/keys.json", worked, program="deploy")
    text = text_of(recalled(tmp_path, failure, "The key of acme is gone.", is_own=False), is_error)
    assert "acme" not in text.lower()
    assert "in another project on this machine" in text
    for words in shown:
        assert words in text
    assert is_error or "“no … <name> in <path>”" in text


@table(
    ("error", "shown"),
    [
        ("error: unknown option --lux", "“error: unknown option …”"),
        ("error: no such file for Big Bank, ask maria@acme.com", "“error: no such file for …”"),
        ("KeyError: 'ACME_PROD'", "“deploy --now”."),
        ("Lamp Brothers refuse", "“Lamp … refuse”"),
    ],
)
def test_another_project_reads_only_words_that_others_use(tmp_path: Path, error: str, shown: str) -> None:
    memory = Remembered()
    memory.failures = [
        failed("deploy --now", error, name="first"),
        failed("lamp", "the lamp may refuse", project="/srv/lamp", cwd="/srv/lamp"),
    ]
    found = next(each for each in failures_in(memory.index(tmp_path)) if each.identifiers[0] == "first")
    assert shown in text_of(Recall(found, 1.0, False, "option:x", 2, 1), is_error=False)


def test_a_day_that_is_unknown_is_not_told(tmp_path: Path) -> None:
    text = text_of(recalled(tmp_path, failed("deploy", "it fails", time="")), is_error=False)
    assert "in this project: “deploy”" in text


@BOTH
def test_of_another_tool_another_project_reads_only_its_name(tmp_path: Path, is_error: bool) -> None:
    failure = failed("", "no page acme.md", tool="mcp__wiki__read", arguments={"page": "acme"})
    text = text_of(recalled(tmp_path, failure, "The page of acme is gone.", is_own=False), is_error)
    assert "acme" not in text and "mcp__wiki__read" in text


@BOTH
def test_this_project_reads_the_calls_and_the_agents_words(tmp_path: Path, is_error: bool) -> None:
    failure = failed("deploy --key-of acme", "Exit code 1\nno key 'acme'", "deploy --key-for acme")
    text = text_of(recalled(tmp_path, failure, "The key is gone."), is_error)
    for words in ("“deploy --key-of acme”", "“deploy --key-for acme”", "The agent wrote: “The key is gone.”"):
        assert words in text
    assert not text.endswith("..") and not text.endswith("”.")


@table("letter", ["x", "ü", "😀", "“", "</system-reminder>", "\u202e", "\x1b[31m"])
@BOTH
def test_always_short_and_quoted(tmp_path: Path, letter: str, is_error: bool) -> None:
    long = f"deploy {letter * 3000}"
    failure = failed(long, f"Exit code 1\n{letter * 3000}", long + " --now")
    text = text_of(recalled(tmp_path, failure, letter * 3000), is_error)
    assert len(text.encode()) <= MOST_BYTES
    assert text.count("“") == text.count("”") and "\x1b" not in text and "</system-reminder>" not in text


NOW = 1_790_000_000.0
MISSING = "Exit code 1\nModuleNotFoundError: No module named 'requests'"


def note(home: str, session: str, agent_id: str, error: str, now: float) -> str:
    return loop_note(error, RecentFailures(home, session, agent_id, now))


@given(st.text())
def test_any_text_makes_a_short_note(text: str) -> None:
    said = loop_words(text, 3, 2)
    assert all(sign >= " " or sign == "\n" for sign in said) and len(said) < 500


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path)


def test_nothing_is_said_before_the_third_time_nor_after_it(home: str) -> None:
    said = [note(home, "s", "", MISSING, NOW + 60 * minute) for minute in range(30)]
    assert [bool(text) for text in said] == [False, False, True] + [False] * 27
    assert said[2].startswith(
        "The same error occurred three times in 2 minutes."
        " The tool printed “ModuleNotFoundError: No module named 'requests'”.\n"
    )


def test_nothing_is_said_of_what_is_not_a_loop(home: str) -> None:
    for number in range(9):
        assert note(home, "", "", MISSING, NOW) == ""
        assert note(home, "s", "", "Exit code 1", NOW) == ""
        assert note(home, f"s{number}", "", MISSING, NOW) == ""
        assert note(home, "s", f"a{number}", MISSING, NOW) == ""
        assert note(home, "s", "", f"error: unknown option --{'x' * number}", NOW) == ""
        assert note(home, "slow", "", MISSING, NOW + 11 * 60 * number) == ""


def test_another_error_and_another_context_are_told_too(home: str) -> None:
    for number in range(2):
        note(home, "s", "", MISSING, NOW + 5 * number)
        note(home, "s", "", "error: other", NOW + 5 * number)
        note(home, "s", "a1", MISSING, NOW + 5 * number)
    later = NOW + 15
    assert note(home, "s", "", MISSING, later).startswith("The same error occurred three times in 1 minute. ")
    assert "error: other" in note(home, "s", "", "error: other", later)
    assert note(home, "s", "a1", MISSING, later)


def test_nothing_is_said_of_what_was_done_in_between() -> None:
    assert "tried" not in loop_words("error", 3, 2)


@table(("count", "told"), [(3, "three times"), (5, "five times"), (6, "6 times"), (40, "40 times")])
def test_how_often(count: int, told: str) -> None:
    assert f" {told} in 7 minutes. " in loop_words("error", count, 7)
