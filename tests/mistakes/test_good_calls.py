"""Good calls that are compared: what is found in all texts at once is what each text alone would tell."""

import random

from lessons.match.call import ToolCall
from lessons.mistakes.good_calls import GoodCalls, success_of, text_of
from lessons.store.history.past_calls import StoredCall
from tests.tables import table

WORDS = ("git", "gi", "t", "push", "", "\0", "g\0i", "--al", "--all", "é", " ", "x" * 30)


def shell(command: str, cwd: str = "/srv/shop", name: str = "") -> ToolCall:
    return ToolCall("Bash", {"command": command}, cwd=cwd, tool_use_id=name)


def row(tool: str, arguments: str, command: str = "") -> StoredCall:
    return StoredCall("t1", tool, command, arguments, "said on the way", "/srv", "codex", "m", "", "")


@table(
    "literals, found",
    [
        (("none",), []),
        (("git", "none"), []),
        (("push\0git",), []),  # the end of a text and the beginning of the next
        (("b",), ["a b"]),
        (("git", "push"), ["git push", "git push"]),
        (("push", "git"), ["git push", "git push"]),
        ((), ["git push", "git", "", "a b", "git push"]),
        (("",), ["git push", "git", "", "a b", "git push"]),
    ],
)
def test_those_that_have_every_literal(literals: tuple[str, ...], found: list[str]) -> None:
    calls = GoodCalls.of_calls(map(shell, ["git push", "git", "", "a b", "git push"]))
    assert [good.text for good in calls.holding(literals)] == found


def test_none_of_no_calls() -> None:
    nothing = GoodCalls()
    assert list(nothing.holding(())) == list(nothing.holding(("",))) == list(nothing.holding(("a",))) == []
    assert len(GoodCalls.joined([nothing.inside("/srv"), nothing])) == 0


def test_the_same_as_looking_at_each() -> None:
    chance = random.Random(3)
    for _ in range(300):
        texts = ["".join(chance.choices(WORDS, k=chance.randrange(5))) for _ in range(chance.randrange(12))]
        calls = GoodCalls.of_calls(map(shell, texts))
        literals = ["".join(chance.choices(WORDS, k=chance.randrange(1, 3))) for _ in range(chance.randrange(3))]
        expected = [text for text in texts if all(literal in text for literal in literals)]
        assert [good.text for good in calls.holding(literals)] == expected


def test_those_of_a_project_and_what_is_added() -> None:
    calls = GoodCalls.of_calls([shell("a", "/srv/shop"), shell("b", "/srv/till"), shell("c", "/srv/shop/src")])
    inside = calls.inside("/srv/shop")
    assert [good.text for good in inside] == ["a", "c"]
    assert calls.inside("/srv/shop") is inside
    assert calls.inside("") is calls.inside(None) is GoodCalls.joined([calls]) is calls
    assert [good.text for good in GoodCalls.joined([inside, GoodCalls.of_calls([shell("d")]), inside])] == [
        "a",
        "c",
        "d",
    ]
    assert len(inside) == 2


@table(
    "given",
    [
        row("Bash", "{}"),
        row("Bash", "[1]"),
        row("Bash", "broken", "make"),
        row("Bash", "broken"),
        row("Bash", '{"command": 7}'),
        row("Bash", '{"command": "make"}', "make"),
        row("Bash", '{"command": "make all"}', "make"),
        row("shell", '{"command": ["bash", "-lc", "make"]}', "make"),
        row("powershell", '{"cmd": "make"}', "make"),
        row("Bash", '{"commands": ["a", "b"]}', "a"),
        row("apply_patch", '{"input": "*** Update File: a.py\\n+a"}'),
        row("mcp__web__open", '{"url": "http://a", "more": ["b", {"c": "d"}]}'),
    ],
)
def test_the_text_of_a_row_is_that_of_its_call(given: StoredCall) -> None:
    (good,) = GoodCalls.of_rows([given])
    made = success_of(given)
    assert (good.text, good.cwd, good.tool_use_id) == (text_of(made), made.cwd, made.tool_use_id)
    assert (good.call().command, good.call().strings, good.call().error) == (made.command, made.strings, None)
    assert good.call() is good.call()
