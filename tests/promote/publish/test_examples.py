"""Examples of a lesson: each is a call, and each comes out as the lesson says or is told."""

from typing import Any

from lessons.model import ExampleCall, lesson_from_document
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.examples import call_of, failures, fires
from tests.builders.lessons import blocking, lesson
from tests.tables import table


def failed(document: dict[str, object]) -> list[str]:
    typed = lesson_from_document(document)
    return failures(typed, entry_of(typed, lambda source, flags: None).entry)


@table(
    ("triggers", "example"),
    [
        ({"commandPatterns": ["stash"]}, "git status"),
        ({"commandPatterns": ["stash"]}, {"tool": "Grep", "content": "stash"}),
        ({"commandPatterns": ["stash"]}, {"path": "/stash"}),
        ({"commandPatterns": ["stash"], "unless": ["-u"]}, "git stash -u"),
        ({"commandPatterns": ["stash"]}, {"error": "stash"}),
        ({"toolNames": ["Edit"]}, "ls"),
        ({"pathPatterns": ["*.py"]}, {"path": "/a.txt"}),
        ({"pathPatterns": ["*.py"], "contentPatterns": ["print"]}, {"path": "/a.py", "content": "x"}),
        ({"errorPatterns": ["no matches"]}, "echo no matches"),
        ({"errorPatterns": ["no matches"]}, {"command": "ls", "error": "denied"}),
        ({"sessionStart": True, "commandPatterns": ["stash"]}, "git stash"),
    ],
)
def test_does_not_fire(triggers: dict[str, object], example: Any) -> None:
    assert not fires(lesson(triggers=triggers), example)


@table(
    ("triggers", "example"),
    [
        ({"commandPatterns": ["stash"]}, "git stash"),
        ({"commandPatterns": ["stash"]}, {"command": "git stash"}),
        ({"commandPatterns": ["stash"]}, {"tool": "run_shell_command", "command": "git stash"}),
        ({"toolNames": ["Edit"]}, {"tool": "Edit"}),
        ({"toolNames": ["Edit"]}, {"path": "/a.py"}),
        ({"pathPatterns": ["*.py"]}, {"tool": "Read", "path": "/a.py"}),
        ({"pathPatterns": ["*.py"], "contentPatterns": ["print"]}, {"path": "/a.py", "content": "print"}),
        ({"contentPatterns": ["print"]}, {"tool": "Write", "content": "print"}),
        ({"errorPatterns": ["no matches"]}, {"command": "ls", "error": "zsh: no matches"}),
        ({"errorPatterns": ["no matches"]}, {"error": "zsh: no matches"}),
        ({"commandPatterns": ["stash"], "when": {"os": ["plan9"]}}, "git stash"),
    ],
)
def test_fires(triggers: dict[str, object], example: Any) -> None:
    assert fires(lesson(triggers=triggers), example)


def test_where_a_lesson_is_for_does_not_matter_to_an_example() -> None:
    assert fires(lesson(scope={"type": "project", "path": "/elsewhere"}), "git stash")


def test_a_draft_needs_no_name() -> None:
    draft = lesson()
    del draft["id"], draft["slug"]
    assert fires(draft, "git stash")


def test_what_prevents_a_call_looks_at_real_invocations() -> None:
    assert fires(blocking(), "cd x && sudo git push origin --force")
    assert not fires(blocking(), "echo git push --force")


def test_a_lesson_without_examples_fails_none() -> None:
    assert failed(lesson()) == []
    assert failed(lesson(examples={})) == []


def test_each_example_that_comes_out_wrong_is_named() -> None:
    examples = {
        "fires": ["git stash", "git status", {"tool": "Edit", "path": "/a"}],
        "quiet": ["ls", "git stash pop", {"command": "git stash"}],
    }
    assert [sentence.split(" should ")[0] for sentence in failed(lesson(examples=examples))] == [
        'the example "git status"',
        'the example {"tool": "Edit", "path": "/a"}',
        'the example "git stash pop"',
        'the example {"command": "git stash"}',
    ]


@table(
    ("example", "tool"),
    [
        ("ls", "Bash"),
        (ExampleCall(command="ls"), "Bash"),
        (ExampleCall(error="failed"), "Bash"),
        (ExampleCall(path="/a"), "Edit"),
        (ExampleCall(path="/a", command="ls"), "Bash"),
        (ExampleCall(tool="WebFetch", path="/a"), "WebFetch"),
    ],
)
def test_the_tool_an_example_means(example: str | ExampleCall, tool: str) -> None:
    assert call_of(example).names[0] == tool
