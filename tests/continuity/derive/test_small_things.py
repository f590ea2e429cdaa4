"""Requests, questions, files and subagents as they are stored."""

from lessons.agents.actions import StartAgent
from lessons.continuity.derive.agents import invocation_of
from lessons.continuity.derive.files import edited_after, path_of
from lessons.continuity.derive.questions import asked_by, asked_in
from lessons.continuity.derive.requests import after, request_of
from tests.tables import table


@table(
    ("text", "expected"),
    [
        ("", ""),
        ("Done.", ""),
        ("Why? Because.", ""),
        ("Is it so?\n\nI think it is.", ""),
        ("Done. Shall I push it?", "Done. Shall I push it?"),
        ("All is green.\n\n**Shall I push it?**\n", "Shall I push it?"),
        ("続けますか？", "続けますか？"),
    ],
)
def test_the_question_at_the_end_of_a_message(text: str, expected: str) -> None:
    assert asked_in(text) == expected


@table(
    ("questions", "expected"),
    [([], ""), ([""], ""), (["Which one?", "And\nwhen?"], "Which one? / And when?")],
)
def test_questions_of_a_call(questions: list[str], expected: str) -> None:
    assert asked_by(questions) == expected


@table(
    ("path", "root", "expected"),
    [
        ("", "/shop", ""),
        ("/shopping/a.py", "/shop", "/shopping/a.py"),
        ("/shop/src/a.py", "/shop", "src/a.py"),
        ("/shop/src/a.py", "/shop/", "src/a.py"),
        ("/shop/src/a.py", "", "/shop/src/a.py"),
        ("C:\\shop\\src\\a.py", "c:/shop", "src\\a.py"),
        ("/a\x1b[2J/b\nc", "/shop", "/a/b c"),
    ],
)
def test_paths(path: str, root: str, expected: str) -> None:
    assert path_of(path, root) == expected


def test_files_are_named_once_and_the_latest_last() -> None:
    edited: list[str] = []
    for number in [*range(40), 35]:
        edited = edited_after(edited, f"{number}.py")
    assert len(edited) == 30
    assert edited[-2:] == ["39.py", "35.py"]
    assert edited_after(edited, "") == edited


def test_a_request_is_bounded() -> None:
    assert request_of("Fix it.\nNow.") == "Fix it.\nNow."
    assert len(request_of("x" * 1_000_000)) == 500


def test_before_a_short_request_stands_the_last_telling_one() -> None:
    last, earlier = "", ""
    for text in ("Hello.", "Make the till count every coin.", "yes", "", "continue"):
        last, earlier = after(last, earlier, text)
    assert (last, earlier) == ("continue", "Make the till count every coin.")
    assert after(last, earlier, "Now paint the shelf in blue.") == ("Now paint the shelf in blue.", "")


def test_a_subagent_is_kept_with_the_beginning_of_its_prompt() -> None:
    found = invocation_of(StartAgent("Explore", "Look " * 100), "toolu_1", "2026-01-01T00:00:00Z")
    assert (found.agent, found.prompt, found.tool_use_id) == ("Explore", ("Look " * 100)[:100], "toolu_1")
    bare = invocation_of(StartAgent("", "d"), "toolu_2", "")
    assert (bare.agent, bare.prompt) == ("general-purpose", "d")
