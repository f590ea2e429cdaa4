"""The texts about a mistake: nothing malformed, and for each kind its own sentences."""

import re
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from lessons.capture.wording.text import cut, plain
from lessons.capture.wording.wording import Later, Words, words
from lessons.episode import Change, Episode, Kind
from tests.capture.wording.cases import FLAG, SENTENCES, episode, step, tool
from tests.tables import table

MESSAGE = "Explain the long way round. " * 80
COMMIT = f"git add a.py && git commit --amend -m \"$(cat <<'EOF'\n{MESSAGE}\nEOF\n)\""
KINDS: tuple[Kind, ...] = get_args(Kind)


def all_texts(shown: Words) -> list[str]:
    quoted = [text for quote in shown.quotes for text in (quote.failed, quote.error, quote.worked)]
    return [shown.problem, shown.solution, shown.summary, shown.trigger, shown.error, *quoted]


def check(shown: Words) -> None:
    """What holds for whatever text a transcript may have."""
    for text in all_texts(shown):
        assert text == plain(text)
        assert "  " not in text
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]", text)
    for text in (shown.problem, shown.solution):
        assert 20 <= len(text) <= 400
    for text in (shown.problem, shown.solution, shown.summary):
        assert text.count("`") % 2 == 0
    assert shown.problem != shown.solution
    assert 20 <= len(shown.summary) <= 120
    assert len(shown.trigger) <= 80
    assert len(shown.error) <= 200
    assert 1 <= len(shown.quotes) <= 3
    assert all(len(text) <= 200 for text in all_texts(shown)[5:])


HOSTILE = {
    "nothing at all": episode("", "", Change("telling-error")),
    "only an exit code": episode("jq .", "Exit code 3\n", Change("telling-error")),
    "line ends": episode(
        "gh pr\ndiff --stat", "Exit code 1\nunknown\r\nflag: --stat\n\n\n", FLAG, "gh pr diff\n--name-only"
    ),
    "colours": episode("a --x", "\x1b[31merror:\x1b[0m \x1b]8;;http://x\x07bad --x", Change("wrong-flag", "--x"), "a"),
    "control characters": episode("a \x07\x00--x", "b\x08ad\x9b1m", Change("wrong-flag", "--x\x1b[2J"), "a"),
    "turned direction": episode("a --x", "error: \u202egnp.exe\u2066", Change("wrong-flag", "\u202e--x"), "a"),
    "half a character": episode("a \ud800", "error: \udfff", Change("wrong-arguments", "\ud800", "\udfff"), "a b"),
    "an odd backtick": episode(
        "echo `date", "error: expected `", Change("quoting", "`date", "$(date)"), "echo $(date)"
    ),
    "a long commit message": episode(
        COMMIT, "error: no", Change("wrong-flag", "--amend"), COMMIT.replace("--amend ", "")
    ),
    "the message is the change": episode(COMMIT, "error: no", Change("quoting", MESSAGE, MESSAGE + "x"), COMMIT + "x"),
    "one enormous word": episode("x" * 5000, "y" * 5000, Change("wrong-arguments", "z" * 5000), "w" * 5000),
    "the same before and after": episode("make a", "error: no", Change("wrong-arguments", "a", "a"), "make a"),
    "nothing changed": episode("make a", "error: no", Change("wrong-arguments"), "make a"),
    "the error is the command": episode("`a` fails: a", "`a` fails: a", Change("telling-error")),
    "an error of blanks": episode("make a", " \n\t\n ", Change("telling-error")),
    "nothing but commas": episode(", " * 60, "x", Change("wrong-flag", ", " * 60), "y"),
    "a control character in a path": episode("a b", "x", Change("wrong-flag", "", "0"), "/\x1f" * 60),
    "a thousand brackets": Episode(tool("A", "", "[" * 4000, "x"), tool("A", "", "\ud800"), Change("protocol", "a"), 1),
    "no shell": Episode(tool("Ed`it", "/a/`b", "{", "x"), tool("Ed`it", "/a/`b", "]"), Change("wrong-arguments"), 1),
}


@table("hostile", HOSTILE.values())
def test_nothing_odd_is_ever_shown(hostile: Episode) -> None:
    shown = words([hostile], None)
    check(shown)
    assert not any("None" in text or "``" in text for text in all_texts(shown))
    assert len(" ".join(all_texts(shown)).split("Explain the long way round.")) < 12


@table("kind", KINDS)
@table("before", ["", "--a"])
@table("after", ["", "--b"])
def test_every_kind_copes_with_whatever_is_missing(kind: Kind, before: str, after: str) -> None:
    for worked in ("", "make --b"):
        check(words([episode("make --a", "Exit code 2\nerror: bad", Change(kind, before, after), worked)], None))


def test_no_commands_of_its_own() -> None:
    """Agents distrust notes that shout."""
    for kind in KINDS:
        shown = words([episode("make --a", "error: bad", Change(kind, "--a", "--b"), "make --b")], None)
        assert not re.search(r"\b(?:MUST|NEVER|ALWAYS)\b", shown.problem + shown.solution)


@table(("one", "problem", "solution"), SENTENCES.values())
def test_the_sentences(one: Episode, problem: str, solution: str) -> None:
    shown = words([one], None)
    assert (shown.problem, shown.solution) == (problem, solution)
    check(shown)


@table(
    ("later", "tail"),
    [
        (None, "; that worked."),
        (Later(0, 0), "; that worked."),
        (Later(2, 2), "; it worked in 2 of 2 later calls."),
        (Later(0, 3), "; that worked, but none of 3 later calls with it did."),
    ],
)
def test_what_later_calls_show(later: Later | None, tail: str) -> None:
    one = episode("gh pr diff --stat", "unknown flag: --stat", FLAG, "gh pr diff --name-only")
    assert words([one], later).solution == f"Use `--name-only` instead of `--stat`{tail}"


def test_the_most_frequent_fix_is_named_in_whatever_order() -> None:
    error = "unknown flag: --stat"
    usual = episode("gh pr diff --stat", error, FLAG, "gh pr diff --name-only")
    rare = episode("gh pr diff --stat", error, Change("wrong-flag", "--stat"), "gh pr diff", name="u")
    none = episode("gh pr diff --stat 7", error, Change("telling-error"), name="v")
    shown = words([none, rare, usual, usual, none, none], None)
    assert shown.solution == "Use `--name-only` instead of `--stat`; that fixed 2 of 6 such failures."
    assert shown == words([usual, none, none, usual, rare, none], None)


def test_the_innermost_layer_of_an_error_is_shown() -> None:
    layers = "".join(f"cannot light the room number {number}: " for number in range(7))
    shown = words([episode("lamp on", f"{layers}the bulb of it is broken", Change("telling-error"))], None)
    assert shown.error.endswith(": the bulb of it is broken")
    assert shown.problem == f"`lamp on` fails: {shown.error}"


def test_the_trigger_and_the_summary_are_short() -> None:
    shown = words([HOSTILE["a long commit message"]], None)
    assert shown.trigger == "git commit --amend -m …"
    assert shown.summary == "`git commit --amend -m …` fails: no. Leave out `--amend`"
    assert shown.quotes[0].failed.startswith("git add a.py && git commit --amend -m")
    assert "Explain" not in "".join(all_texts(shown))


def test_quotes_are_of_different_calls() -> None:
    many = [
        episode(f"gh pr diff {number % 2} --stat", "unknown flag: --stat", FLAG, "gh pr diff") for number in range(9)
    ]
    assert [quote.failed for quote in words(many, None).quotes] == ["gh pr diff 0 --stat", "gh pr diff 1 --stat"]


@given(st.text(max_size=60), st.integers(min_value=12, max_value=40))
def test_a_cut_text_ends_after_a_word(text: str, limit: int) -> None:
    text = plain(text).replace("`", "")
    shown = cut(text, limit)
    assert len(shown) <= limit
    if shown != text and " " in text[limit // 3 : limit - 2]:
        assert set(shown.rstrip("…").split()) - {""} <= {word.rstrip(",;:") for word in text.split()} | set(
            text.split()
        )


TEXT = st.text(max_size=80) | st.text(alphabet="abc `'\"\\$()|&;<>\n\t-/.…=0", max_size=120)
LONG = TEXT | TEXT.map(lambda text: text * 60)


@given(st.sampled_from(KINDS), LONG, LONG, LONG, LONG, st.none() | LONG, st.booleans())
def test_any_text(
    kind: Kind, command: str, error: str, before: str, after: str, worked: str | None, shell: bool
) -> None:
    failure = step(command, error) if shell else tool(command, before, after, error)
    fix = None if worked is None else step(worked, outcome="ok") if shell else tool(worked, after, before)
    check(words([Episode(failure, fix, Change(kind, before, after), 1)], Later(1, 2)))
