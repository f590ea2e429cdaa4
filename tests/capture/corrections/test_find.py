"""Which messages after an action are rules that also apply next time, and which are not."""

import re
import time

from hypothesis import given
from hypothesis import strategies as st

from lessons.capture.corrections.find import correction
from lessons.capture.corrections.words import same_rule
from lessons.episode import Step
from tests.capture.corrections.cases import QUIET, RULES
from tests.capture.corrections.more_cases import MORE_QUIET, MORE_RULES
from tests.capture.corrections.pasted_cases import PASTED, TYPED
from tests.tables import table

SHELL = Step("t1", "Bash", "npm", "install", "npm install left-pad && pytest -q", "", "{}", "ok")
EDIT = Step("t2", "Edit", "", "", "", "src/app/header.tsx", "{}", "ok")


@table("text", QUIET + MORE_QUIET)
@table("action", [SHELL, EDIT])
def test_no_rule(text: str, action: Step) -> None:
    assert correction(text, "sure", action, False) is None


@table("text", PASTED)
@table("action", [SHELL, EDIT])
@table("stopped", [True, False])
def test_what_is_pasted_is_no_correction(text: str, action: Step, stopped: bool) -> None:
    assert correction(text, "sure", action, stopped) is None


@table("text", TYPED)
def test_what_is_typed_is_one(text: str) -> None:
    assert correction(text, "sure", SHELL, False) is not None


@table(("text", "rule"), RULES)
def test_rule(text: str, rule: str | None) -> None:
    found = correction(text, "likely", SHELL, False)
    assert found is not None
    assert found.rule == (rule or text)
    assert 0.5 <= found.sureness <= 0.95


@table("text", MORE_RULES)
@table("action", [SHELL, EDIT])
def test_rule_nobody_had_in_mind(text: str, action: Step) -> None:
    assert correction(text, "likely", action, False) is not None


@table("text", [text for text, _ in RULES])
def test_what_comes_before_any_action_is_a_request(text: str) -> None:
    assert correction(text, "sure", None, True) is None


def test_a_contrast_counts_where_the_call_held_it() -> None:
    assert correction("bun not npm", "sure", SHELL, False) is not None
    assert correction("bun not deno", "sure", SHELL, False) is None
    assert correction("bun not npm", "sure", EDIT, False) is None


def test_what_was_meant_belongs_to_the_rule() -> None:
    found = correction("hey, don't install global packages. I meant the ones of the project", "sure", EDIT, False)
    assert found is not None
    assert found.rule == "don't install global packages. I meant the ones of the project"


def test_sureness_grows_with_an_objection_a_stop_and_a_sure_author() -> None:
    def sureness(text: str, author: str = "likely", stopped: bool = False) -> float:
        found = correction(text, author, SHELL, stopped)
        return found.sureness if found else 0.0

    plain = sureness("do not commit lock files")
    assert sureness("no, do not commit lock files") > plain
    assert sureness("do not commit lock files", stopped=True) > plain
    assert sureness("do not commit lock files", "sure") > plain
    assert sureness("no, never commit lock files", "sure", True) == 0.95


def test_a_long_rule_ends_with_a_word() -> None:
    found = correction(f"never commit {'generated ' * 30}files", "sure", SHELL, False)
    assert found is not None
    assert found.rule == ("never commit" + " generated" * 18)


def test_control_characters_are_taken_out() -> None:
    found = correction("never\x1b commit\x00 lock\u202e files", "sure", SHELL, False)
    assert found is not None and found.rule == "never commit lock files"


_PHRASES = st.sampled_from(
    [text for text, _ in RULES]
    + QUIET
    + ["never ", "don't ", "use ", "not ", "\x1b[0m", "\ud800", "\n", ". ", ", ", "“", "`"]
)


@given(
    st.lists(_PHRASES | st.text(max_size=30), max_size=12).map("".join),
    st.booleans(),
    st.sampled_from(["sure", "likely"]),
)
def test_any_text(text: str, stopped: bool, sureness: str) -> None:
    found = correction(text, sureness, SHELL, stopped)
    if found is not None:
        assert found.rule.isprintable() and 0 < len(found.rule) <= 200
        assert 0.5 <= found.sureness <= 0.95
        plain = re.sub(r"\x1b\[[0-9;?]*[ -/]*[@-~]", "", text)  # colours stand in the middle of words too
        rest = "".join(letter if letter.isprintable() else " " for letter in plain)
        for word in found.rule.split():
            assert word in rest
            rest = rest.partition(word)[2]


@table(
    "part",
    ["a", " ", "\n", "no ", "no, so, but ", "never ", "don't use ", "we use a ", "is in a ", "is on a not ", "a? ",
     "run x before ", "you can ", "when you x ", "`", "'a ", '"', "not a.b ", "in this repo ", "- - ", "i told you ",
     "will ", "the the ", "a."],
)  # fmt: skip
def test_time_is_linear(part: str) -> None:
    texts = [part * (size // len(part)) for size in (40, 250, 600, 16_384)]
    for text in texts:
        assert min(_seconds(text) for _ in range(4)) < 0.05


def _seconds(text: str) -> float:
    started = time.process_time()
    correction(text, "sure", SHELL, True)
    return time.process_time() - started


@table(
    ("one", "other"),
    [
        ("never commit lock files", "don't ever commit the lock file"),
        ("stop committing lock files!", "please do not commit any lock file"),
        ("use pnpm, not npm", "we use pnpm and not npm here"),
    ],
)
def test_the_same_rule_in_other_words(one: str, other: str) -> None:
    assert same_rule(one) == same_rule(other) != frozenset()


@table(
    ("one", "other"),
    [
        ("always squash commits", "never squash commits"),
        ("use python3.11", "use python3.12"),
        ("don't edit src/a.py", "don't edit src/b.py"),
    ],
)
def test_other_rules(one: str, other: str) -> None:
    assert same_rule(one) != same_rule(other)
