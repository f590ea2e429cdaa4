"""Code in sentences: found where it stands, and known again in the calls that had it."""

from lessons.promote.refine.code_words import code_in, commands_in, is_in
from tests.tables import table


@table(
    ("code", "line"),
    [
        ("make ship", "make shop"),
        ("gh pr files", "gh pr diff 7 --name-only"),
        ("gh --name-only pr", "gh pr diff 7 --name-only"),
        ("NUMBER", "gh pr diff 7"),
        ("<a> <b>", "gh pr"),
        ("--name", "gh pr diff --name-only"),
        ("make ship now", "make ship"),
    ],
)
def test_what_a_call_has_not(code: str, line: str) -> None:
    assert not is_in(code, [line])


@table(
    ("code", "line"),
    [
        ("make ship", "cd shop && make ship"),
        ("make   ship", "make\nship"),
        ("gh pr diff NUMBER --name-only", "gh pr diff 7 --name-only"),
        ("gh pr diff <number> --name-only", "gh pr diff 7 --name-only | head"),
        ("python3 -m pytest …", "timeout 9 python3 -m pytest -q tests"),
        ("--name-only", "gh pr diff --name-only"),
    ],
)
def test_what_a_call_has(code: str, line: str) -> None:
    assert is_in(code, ["ls", line])


@table(
    ("text", "code"),
    [
        ("no code at all", []),
        ("an open ` tick", []),
        ("` ` is nothing", []),
        ("run `make` or `make`", ["make"]),
        ("```sh\nmake ship\nmake sell\n```", ["make ship\nmake sell"]),
    ],
)
def test_code(text: str, code: list[str]) -> None:
    assert code_in(text) == code


def test_commands_and_options() -> None:
    found = list(commands_in("Run `cd a && git push -f`, never with --no-verify."))
    assert ["git", "push", "-f"] in found and ["--no-verify"] in found
