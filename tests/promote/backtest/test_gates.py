"""Gates: closed where a pattern cannot match, open wherever it can."""

from lessons.match.rule import Rule
from lessons.model import Lesson, Triggers
from lessons.promote.many_lessons import Gates, folded_error, folded_line, needed_in_errors, needed_in_lines, rule_of
from tests.tables import table


def rule(triggers: Triggers) -> Rule:
    return rule_of(Lesson(id="1", slug="one", summary="", problem="", solution="", triggers=triggers))


def lines(*patterns: str, match_on: str = "command") -> Gates:
    gates = Gates()
    triggers = Triggers(command_patterns=list(patterns), match_on=match_on)  # type: ignore[arg-type]
    gates.add(7, needed_in_lines(rule(triggers)))
    return gates


def errors(pattern: str) -> Gates:
    gates = Gates()
    gates.add(7, needed_in_errors(rule(Triggers(error_patterns=[pattern]))))
    return gates


@table(
    ("gates", "text"),
    [
        (lines("git push"), folded_line("git pull")),
        (lines("git rebase .*-i\\b"), folded_line("git rebase main")),  # all that it needs, not one of it
        (lines("git push", match_on="invocation"), folded_line("git pull")),
        (errors("Exit code 137"), folded_error("Exit code 1")),
    ],
)
def test_what_cannot_match(gates: Gates, text: str) -> None:
    assert gates.possible(text) == []
    assert gates.within([text, "another"]).possible(text) == []


@table(
    ("gates", "text"),
    [
        (lines("git push"), folded_line("cd a; git push")),
        (lines("(?i)GIT PUSH"), folded_line("G\u0131T PU\u017fH")),
        (lines("git push", match_on="invocation"), folded_line("g\"i\"t 'push' \u00e9")),
        (lines("git push", "make .*all"), folded_line("make it all")),
        (lines("git push", "."), folded_line("ls")),  # one of them may match anything
        (errors("one\ntwo"), folded_error("ONE\r\nTWO")),
    ],
)
def test_what_may_match(gates: Gates, text: str) -> None:
    assert gates.possible(text) == [7]
    assert gates.within([text, "another"]).possible(text) == [7]


def test_a_rule_without_patterns_is_always_possible() -> None:
    gates = Gates()
    gates.add(3, [])
    assert (gates.possible(""), gates.within([]).possible("ls")) == ([3], [3])
