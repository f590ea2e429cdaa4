"""No text, however odd or long, makes judging slow or fail."""

from time import process_time

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.capture.shapes.judgement import judge
from lessons.failure.clean import clean
from tests.capture.shapes.finding_cases import PYTHON, SCRIPT
from tests.capture.shapes.finding_compiled_cases import COMPILED
from tests.capture.shapes.misuse_cases import ARGUMENTS, COMMAND, ORDER, PATH, TOOLS
from tests.capture.shapes.misuse_flag_cases import FLAG
from tests.capture.shapes.misuse_more_cases import MORE
from tests.capture.shapes.misuse_shell_cases import MISSING, QUOTING
from tests.capture.shapes.tables import failed, failures
from tests.sizes import examples
from tests.tables import table

SIZE = 4096
LIMIT = 0.010  # seconds of work, for one error
PREFIXES = (
    "a",
    " ",
    "\n",
    "\t",
    ": ",
    "a: ",
    "error: ",
    "npm error ",
    "(a) ",
    "ERR_",
    "/",
    "a/",
    "a.",
    "a.b/",
    "a.py:1",
    "src/a.ts:1:1 ",
    "node_modules/",
    "in a.b ",
    "  at ",
    "1 ",
    "1 error ",
    "11111",
    "found 1 ",
    "Failed:        ",
    "x\n╰─▶",
    "× ",
    'File "',
    "Traceback (most recent call last)\n",
    "<string>",
    "<stdin> Error: ",
    "argument ",
    "option -",
    "the option ",
    "can't read s/",
    "No such file or directory",
    "env: a: ",
    "no a.toml ",
    "please run ",
    "must a ",
    "multiple ",
    "invalid value ",
    "column a ",
    "pull request ",
    "coverage ",
    "assertion ",
    "\x1b[",
    "\x1b]",
    "[2m",
    "Run `a ",
    "(Invalid",
    "a\tfail",
    "Error: [",
    "[Error: ",
    "expected ",
)
WRONG = MISSING + QUOTING + FLAG + COMMAND + PATH + ORDER + ARGUMENTS + TOOLS + MORE
MESSAGES = failures(PYTHON + SCRIPT + COMPILED + WRONG)
PIECES = sorted({line for step in MESSAGES for line in clean(step.error).splitlines()})


def is_quick(error: str) -> bool:
    """In one of three attempts: the machine may have other work."""
    return any(_seconds(error) < LIMIT for _ in range(3))


def _seconds(error: str) -> float:
    step = failed("make check | grep x", error)
    started = process_time()
    judge(step)
    return process_time() - started


@table("prefix", PREFIXES)
@table("end", ["", "\n", "!", "\nx"])
def test_repetition_is_not_slow(prefix: str, end: str) -> None:
    text = prefix * (SIZE // len(prefix)) + end
    assert is_quick(text)


@table("first", PREFIXES)
def test_two_repetitions_are_not_slow(first: str) -> None:
    for second in PREFIXES:
        text = first * (SIZE // 2 // len(first)) + second * (SIZE // 2 // len(second))
        assert is_quick(text)


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=60)), max_size=40).map("\n".join))
def test_any_mixture_is_judged_quickly_and_always_the_same(text: str) -> None:
    assert is_quick(text)
    step = failed("make check", text)
    assert judge(step) == judge(step)


@given(st.text(max_size=400))
def test_only_a_misuse_has_a_kind(text: str) -> None:
    judgement = judge(failed("make check", text))
    assert (judgement.kind is not None) == (judgement.shape == "misuse")
