"""Wrappers removed with their options, and commands inside arguments: first what must stay unchanged."""

from lessons.shell.split import invocations
from tests.shell.argument_cases import CODE, CODE_BY_HAND
from tests.shell.row_text import rows
from tests.shell.wrapper_cases import NONE, WRAPPERS, WRAPPERS_BY_HAND
from tests.tables import table


@table("command", rows(NONE))
def test_nothing_is_taken_off(command: str) -> None:
    assert invocations(command) == [[command]]


@table("command", ["env > pytest", "env 2>&1", "env >pytest 2> pytest"])
def test_the_target_of_a_redirection_is_no_command(command: str) -> None:
    assert invocations(command) == [["env"]]


@table("wrapper", rows(WRAPPERS) + rows(WRAPPERS_BY_HAND))
def test_a_wrapper_is_taken_off_with_its_options(wrapper: str) -> None:
    command = f"{wrapper} pytest -q -n 4"
    [texts] = invocations(command)
    assert (texts[0], texts[-1]) == (command, "pytest -q -n 4")
    assert invocations(f"FOO=1 {command}") == [[f"FOO=1 {command}", *texts]]


def test_wrappers_are_taken_off_one_by_one() -> None:
    assert invocations("sudo -u bob /usr/bin/timeout 5 uv run python -m pytest") == [
        [
            "sudo -u bob /usr/bin/timeout 5 uv run python -m pytest",
            "/usr/bin/timeout 5 uv run python -m pytest",
            "timeout 5 uv run python -m pytest",
            "uv run python -m pytest",
            "python -m pytest",
            "pytest",
        ]
    ]


@table(
    ("command", "last"),
    [
        ("python -mpytest -q", "pytest -q"),
        ("python -umpytest", "pytest"),
        ("hatch run test:pytest -q", "pytest -q"),
        ("npx jest@29 a", "jest@29 a"),
        ("npx @scope/tool a", "tool a"),
    ],
)
def test_the_command_is_a_part_of_a_word(command: str, last: str) -> None:
    [texts] = invocations(command)
    assert texts[0] == command
    assert texts[-1] == last


@table("command", rows(CODE) + rows(CODE_BY_HAND))
def test_the_command_inside_an_argument_is_an_invocation_of_its_own(command: str) -> None:
    found = invocations(command)
    assert len(found) > 1
    assert any(texts[-1] == "pytest -q" for texts in found)
