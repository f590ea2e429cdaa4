"""What a trigger is made from: the failing calls of one mistake, their fixes, and calls that worked."""

import re
from collections.abc import Sequence

import msgspec

from lessons.candidate import CandidateKind
from lessons.match.call import ToolCall
from lessons.model import Scope
from lessons.promote.propose.bypasses import is_bypass
from lessons.promote.propose.good_calls import GoodCalls, text_of
from lessons.promote.propose.judge import Case, Lines

EVERYWHERE = Scope(type="global")
_WORD = re.compile(
    r"--?[A-Za-z][A-Za-z_:-]{0,40}|[A-Za-z][A-Za-z_:-]{1,40}"
)  # no path, number or id, which are others the next time


class Mistake(msgspec.Struct, frozen=True):
    """The calls of one mistake."""

    failures: Sequence[ToolCall]  # with the errors they ended in
    fixes: Sequence[ToolCall | None] = ()  # of each failure, where one is known
    other_fixes: Sequence[ToolCall] = ()
    successes: GoodCalls | Sequence[ToolCall] = ()  # other calls of the family that worked
    others: GoodCalls | Sequence[ToolCall] = ()  # calls of the same programs that worked, whatever they did
    lines: Lines = tuple  # of shell calls that worked, whatever they ran
    kind: CandidateKind = "wrong-arguments"
    projects: Sequence[str] = ()  # of each failure
    has_remedy: bool = True

    @property
    def project(self) -> str:
        """The one project that all failures are of, if so."""
        known = set(self.projects)
        return known.pop() if len(known) == 1 else ""

    def is_to_blame(self, text: str) -> bool:
        """Whether the fixes did without this word of every failing call."""
        if not _WORD.fullmatch(text) or not all(_has(call, text) for call in self.failures):
            return False
        return not any(_has(fix, text) for fix in (*self.fixes, *self.other_fixes) if fix is not None)

    def alone(self, place: int) -> "Mistake":
        """The same with one failure alone."""
        return msgspec.structs.replace(
            self,
            failures=self.failures[place : place + 1],
            fixes=self.fixes[place : place + 1],
            other_fixes=(),
            projects=self.projects[place : place + 1],
        )

    def case_in(self, scope: Scope) -> Case:
        """To be compared with what worked where the lesson would act; what only bypasses a check is no fix."""
        fixes = [*(fix for fix in self.fixes if fix is not None), *self.other_fixes]
        real, bypasses = list[ToolCall](), list[ToolCall]()
        for fix in fixes:
            (bypasses if is_bypass(fix, self.failures) else real).append(fix)
        good = GoodCalls.of_calls(self.successes).inside(scope.path)
        more = GoodCalls.of_calls(bypasses).inside(scope.path)
        others = GoodCalls.of_calls(self.others).inside(scope.path)
        return Case(self.failures, real, good.plus(more), others, self.lines)


def _has(call: ToolCall, word: str) -> bool:
    return re.search(rf"(?<![\w-])-{{0,2}}{re.escape(word)}(?![\w-])", text_of(call)) is not None
