"""Errors that say that the call itself was wrong, and those that only use the same words."""

from lessons.capture.shapes.judgement import judge
from lessons.episode import Kind, Step
from tests.capture.shapes.misuse_cases import ARGUMENTS, COMMAND, ORDER, PATH, TOOLS
from tests.capture.shapes.misuse_flag_cases import FLAG
from tests.capture.shapes.misuse_more_cases import MORE
from tests.capture.shapes.misuse_rare_cases import RARE
from tests.capture.shapes.misuse_shell_cases import MISSING, QUOTING
from tests.capture.shapes.not_misuse_cases import NOT_MISUSE
from tests.capture.shapes.tables import failures
from tests.tables import table

KINDS: dict[Kind, str] = {
    "missing-tool": MISSING,
    "quoting": QUOTING,
    "wrong-flag": FLAG,
    "wrong-command": COMMAND,
    "wrong-path": PATH,
    "order-of-steps": ORDER,
    "wrong-arguments": ARGUMENTS,
}
ALL = [(kind, step) for kind, table in KINDS.items() for step in failures(table)]


@table("step", failures(NOT_MISUSE))
def test_the_same_words_about_something_else(step: Step) -> None:
    assert judge(step).shape != "misuse"


@table(("kind", "step"), ALL)
def test_the_call_was_wrong(kind: Kind, step: Step) -> None:
    judgement = judge(step)
    assert (judgement.shape, judgement.kind) == ("misuse", kind)


@table("step", failures(TOOLS + MORE + RARE))
def test_calls_nobody_had_in_mind(step: Step) -> None:
    assert judge(step).shape == "misuse"
