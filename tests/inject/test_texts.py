"""Texts for agent and user: everything from outside is inserted literally, cleaned and cut."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.inject import decide as words
from lessons.match.call import ToolCall
from lessons.store.manifest import PublishedLesson, compile_source
from tests.sizes import examples
from tests.tables import table

NASTY = [
    "$&",
    "$1 $$ $`",
    "\\1 \\g<0>",
    'it\'s "quoted" `code`',
    "a\nb\n\nc",
    "{command}",
    "%s %(x)s {0} {}",
    "日本 🎓",
]


def lesson(**entry: object) -> PublishedLesson:
    return PublishedLesson("01ID", {"slug": "slug-a1b2", "summary": "In short", **entry}, compile_source)


def bash(command: str) -> ToolCall:
    return ToolCall("Bash", {"command": command})


@table("command", NASTY)
def test_the_command_is_put_in_as_it_is(command: str) -> None:
    blocking = lesson(block=True, blockReason="Not so: {command}. Rerun as: {command} --safe")
    assert words.block_reason(blocking, bash(command)) == f"Not so: {command}. Rerun as: {command} --safe"


def test_a_block_without_a_command_names_the_path_or_the_tool() -> None:
    blocking = lesson(blockReason="No: {command}")
    assert words.block_reason(blocking, ToolCall("Edit", {"file_path": "/a.py"})) == "No: /a.py"
    assert words.block_reason(blocking, ToolCall("mcp__a__b", {})) == "No: mcp__a__b"


def test_a_block_without_a_reason_says_what_the_lesson_says() -> None:
    assert words.block_reason(lesson(injection="The whole lesson"), bash("ls")) == "The whole lesson"
    assert words.block_reason(lesson(), bash("ls")) == "In short"


@table("number", [*range(32), *range(127, 160)])
def test_control_characters_are_taken_out(number: int) -> None:
    expected = "a" + chr(number) + "b" if number in (9, 10) else "ab"
    assert words.clean(f"a{chr(number)}b") == expected
    assert words.block_reason(lesson(blockReason="{command}"), bash(f"a{chr(number)}b")) == expected


@given(st.text(st.characters(), max_size=400))
@settings(max_examples=examples(150), deadline=None)
def test_all_words_can_be_sent_whatever_they_are_made_of(text: str) -> None:
    told = lesson(summary=text, injection=text, blockReason=text + "{command}")
    call = bash(text)
    for said in (
        words.heading(call),
        words.full_text(told),
        words.summary_line(told),
        words.block_reason(told, call),
        words.stop_reason(told),
        words.block_message(told),
        words.stop_message(told),
    ):
        said.encode("utf-8")
        assert "\x1b" not in said


def test_a_long_text_is_cut_below_what_the_client_takes() -> None:
    cut = words.clean("x" * 50_000)
    assert cut.endswith(" [cut]")
    assert len(words.heading(bash("y" * 50_000))) + len(cut) < 10_000
    assert len(words.stop_reason(lesson(injection="x" * 50_000))) < 10_000
    assert words.clean("x" * 9000) == "x" * 9000


@table(
    ("command", "subject"),
    [
        ("git  push\n --force", "git push --force"),
        ("echo `date`", "echo 'date'"),
        ("x" * 80, "x" * 80),
        ("x" * 81, "x" * 80 + "…"),
        ("\x1b[31mred", "[31mred"),
    ],
)
def test_the_heading_names_the_call_on_one_line(command: str, subject: str) -> None:
    assert words.heading(bash(command)) == f"Notes that the user keeps in `lessons` about `{subject}`:"


def test_only_the_person_is_told_how_to_let_a_call_pass() -> None:
    blocking = lesson(block=True, blockReason="Not so: {command}")
    assert "lessons allow slug-a1b2" in words.block_message(blocking)
    assert "allow" not in words.block_reason(blocking, bash("git push"))
    assert "allow" not in words.stop_reason(lesson(stopOnce=True))


def test_a_stop_says_that_the_call_runs_when_issued_again() -> None:
    said = words.stop_reason(lesson(injection="Think first."))
    assert said.startswith("Think first.\n\n")
    assert "issued again" in said
    assert "slug-a1b2" in said
    assert words.stop_message(lesson()) == "lessons: stopped once by `slug-a1b2` (In short)."


def at_a_call(**values: str) -> PublishedLesson:
    told = lesson(injection="In {folder}: use {1}, not {2}.", blockReason="{1}: {command}", summary="About {1}")
    told.values = values
    return told


def test_names_stand_for_what_they_mean_at_the_call() -> None:
    told = at_a_call(**{"folder": "/p/web", "1": "api"})
    assert words.full_text(told) == "In /p/web: use api, not {2}."
    assert words.summary_line(told) == "**Lesson**: About api"
    assert words.block_reason(told, bash("cd api")) == "api: cd api"
    assert "(About api)" in words.stop_message(told)


@table(
    ("value", "wanted"),
    [
        ("a\nb\r\n\nc", "a b c"),
        ("\x1b[31mred\x07", "[31mred"),
        ("`rm -rf`", "'rm -rf'"),
        ("{command} {folder}", "{command} {folder}"),
        ("x" * 5000, "x" * 300 + "…"),
        ("\ud800", "?"),
    ],
)
def test_value_is_cleaned_and_cut(value: str, wanted: str) -> None:
    told = at_a_call(**{"folder": value, "1": "", "2": ""})
    assert words.full_text(told) == f"In {wanted}: use , not ."
