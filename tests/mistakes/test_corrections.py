"""A permanent rule in what a person typed; first what is none."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.mistakes.corrections import correction, same_rule
from tests.builders.steps import ran
from tests.tables import table

ACTION = ran("npm install")


@table(
    "text",
    [
        "go on",
        "no, that is wrong",
        "why do you never use pnpm?",
        "can you always show the total?",
        "add a button that always shows the total to users",
        "maybe we should never do that",
        "don't do this yet",
        "/review always",
        "Traceback (most recent call last):\n  never call this",
        "ERROR: always use --force\nfailed",
        "never mind",
        "please fix the tests",
        "x" * 700 + " never use npm",
    ],
)
def test_no_rule(text: str) -> None:
    assert correction(text, "sure", ACTION, False) is None


@table(
    "text, rule",
    [
        ("no, always use pnpm instead of npm", "always use pnpm instead of npm"),
        ("From now on run the linter first.", "From now on run the linter first"),
        ("never push without asking me", "never push without asking me"),
        ("Thanks. Only commit when I ask.", "Only commit when I ask"),
        ("we don't use npm here", "we don't use npm here"),
        ("use pnpm, not npm", "use pnpm, not npm"),
        ("stop adding comments everywhere", "stop adding comments everywhere"),
        ("I told you not to use npm", "I told you not to use npm"),
    ],
)
def test_a_rule_in_its_own_words(text: str, rule: str) -> None:
    found = correction(text, "sure", ACTION, False)
    assert found is not None
    assert found.rule == rule
    assert 0.5 <= found.sureness <= 0.95


def test_a_stopped_call_makes_it_surer() -> None:
    found = [correction("stop adding comments everywhere", "sure", ACTION, stopped) for stopped in (False, True)]
    assert found[0] is not None and found[1] is not None
    assert found[0].sureness < found[1].sureness


@given(st.text())
def test_any_text(text: str) -> None:
    found = correction(text, "", ACTION, True)
    assert found is None or (found.rule and len(found.rule.splitlines()) == 1)
    same_rule(text)
