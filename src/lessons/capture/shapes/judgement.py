"""Judges a failed call by its error: a mistake of the call, normal work, or unknown."""

from typing import Literal, NamedTuple

from lessons.capture.shapes.api_path import is_unknown_path
from lessons.capture.shapes.findings import broke, is_about_code
from lessons.capture.shapes.inline_module import imports_missing_module
from lessons.capture.shapes.misuse import kind_of_misuse
from lessons.capture.shapes.nothing_found import found_nothing, only_looks
from lessons.capture.shapes.protocol import is_blocked, is_protocol
from lessons.capture.shapes.transient import is_transient
from lessons.capture.shapes.work_state import is_state_of_work
from lessons.episode import Kind, Step
from lessons.failure.clean import clean

Shape = Literal["misuse", "unclear", "finding", "transient", "state", "nothing", "protocol"]
_FEW_LINES = 25
_NOT_STARTED = (126, 127)  # exit codes of a shell that cannot start a program


class Judgement(NamedTuple):
    shape: Shape
    kind: Kind | None = None  # of a misuse


def judge(step: Step) -> Judgement:
    if is_blocked(step):
        return Judgement("misuse", "wrong-command")
    if is_protocol(step):
        return Judgement("protocol")
    text = clean(step.error).removeprefix("Error: ")
    if not text and step.exit_code in _NOT_STARTED and step.command:
        return Judgement("misuse", "missing-tool")
    if is_unknown_path(step):
        return Judgement("misuse", "wrong-arguments")
    if imports_missing_module(step, text):
        return Judgement("misuse", "missing-tool")
    # Search results look like a report, too.
    about_code = is_about_code(text) and not only_looks(step)
    # A server's tool shows the state of a page, a console or a project along with its own error.
    kind = kind_of_misuse(text, step.command, about_code and step.command != "") if text else None
    # In the long report of a test run the same words may be what a test expects.
    if kind and not (about_code and text.count("\n") > _FEW_LINES):
        return Judgement("misuse", kind)
    if about_code:
        return Judgement("finding")
    if is_transient(text, step.program, step.exit_code):
        return Judgement("transient")
    if is_state_of_work(text):
        return Judgement("state")
    if broke(text):
        return Judgement("finding")
    return Judgement("nothing") if found_nothing(step, text) else Judgement("unclear")
