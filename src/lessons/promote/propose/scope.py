"""Decides where a lesson acts: by the kind of mistake, not by where it was seen."""

import re

from lessons.failure.complaint import is_about_syntax
from lessons.failure.telling_line import telling_line
from lessons.failure.wrapped import wrapped_as
from lessons.model import Scope
from lessons.promote.propose.mistake import EVERYWHERE, Mistake

MACHINE = Scope(type="machine")
# A missing module, an option that only the tool of another system has, and actions only for an administrator.
_OF_MACHINE = re.compile(
    r"No module named|Cannot find (?:module|package) '[^./]|Can't locate \S+ in @INC|cannot load such file"
    r"|(?:illegal|invalid|unrecognized) option -- |[Aa]re you root|[Oo]peration not permitted|must be root"
)
# About a tool, for any caller; missing programs and modules are about the machine; the others about one project.
_OF_TOOLS = frozenset(("wrong-flag", "quoting", "other-tool"))


def scopes_of(mistake: Mistake) -> list[Scope]:
    """Returns where a trigger may act, widest first: one that is not clean everywhere may be clean in its project."""
    own = project_of(mistake)
    if own and _is_of_wrapper(mistake):
        return [own]
    widest = MACHINE if all(_OF_MACHINE.search(call.error or "") for call in mistake.failures) else EVERYWHERE
    return [widest, own] if own else [widest]


def _is_of_wrapper(mistake: Mistake) -> bool:
    """Whether another program ran in place of the called one: another project may not have it."""
    return all(
        any(wrapped_as(texts[-1].partition(" ")[0], call.error or "") for texts in call.invocations())
        for call in mistake.failures
    )


def project_of(mistake: Mistake) -> Scope | None:
    return Scope(type="project", path=mistake.project) if mistake.project else None


def scopes_of_kind(mistake: Mistake) -> list[Scope]:
    """Returns scopes for a lesson that checks no call, widest first."""
    own = project_of(mistake)
    lines = [telling_line(call.error or "") for call in mistake.failures]
    is_of_tool = (mistake.kind in _OF_TOOLS or all(map(is_about_syntax, lines))) and not _is_of_wrapper(mistake)
    return [EVERYWHERE, own] if is_of_tool and own else [own or EVERYWHERE]
