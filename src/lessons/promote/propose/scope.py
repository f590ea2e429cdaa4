"""Where a lesson acts: decided by the kind of mistake, not by where it was seen."""

from lessons.failure.complaint import is_about_syntax
from lessons.failure.telling_line import telling_line
from lessons.model import Scope
from lessons.promote.propose.mistake import EVERYWHERE, Mistake

MACHINE = Scope(type="machine")
# Of a tool, whoever calls it; missing programs and modules are the machine's; the others are about one project.
_OF_TOOLS = frozenset(("wrong-flag", "quoting", "other-tool"))
_OF_MACHINE = frozenset(("missing-tool",))


def scopes_of(mistake: Mistake) -> list[Scope]:
    """Where a trigger may act, the widest first: one that is not clean everywhere may be in the one project."""
    return [EVERYWHERE, own] if (own := project_of(mistake)) else [EVERYWHERE]


def project_of(mistake: Mistake) -> Scope | None:
    return Scope(type="project", path=mistake.project) if mistake.project else None


def scope_of_kind(mistake: Mistake) -> Scope:
    """For a lesson that looks at no call."""
    if mistake.kind in _OF_TOOLS or all(is_about_syntax(telling_line(call.error or "")) for call in mistake.failures):
        return EVERYWHERE
    return project_of(mistake) or EVERYWHERE
