"""A number in, a data home with so many different lessons out."""

import itertools
from collections.abc import Iterator

from lessons import config
from lessons.model import Lesson, Scope, Triggers
from lessons.promote.publish import publish
from lessons.promote.publish.entry import entry_of

_PROGRAMS = ("git", "npm", "docker", "kubectl", "cargo", "make", "gh", "terraform", "pip", "psql", "helm", "aws")
_VERBS = ("apply", "run", "push", "install", "build", "exec", "deploy", "create", "delete", "sync", "login", "test")
_FLAGS = ("--force", "--all", "-it", "--no-cache", "--watch", "--yes", "--dry", "--json", "--prune", "--hard")
_SHAPES = (
    r"{program} {verb}\b.*{flag}\b.*\bpart-{number}\b",
    r"\b{program}-{number}\b(?!.*{flag})",
    r"^(?:{program}|my{program}) {verb} item{number}\b",
    r"{program} +{verb} +(?:{flag} +)?svc{number}[a-z]*$",
)

MATCHED = Lesson(
    id="MATCHED",
    slug="git-stash-untracked",
    summary="git stash leaves untracked files behind",
    problem="`git stash` stashes tracked files only; new files stay in the work tree.",
    solution="Use `git stash -u` when there are new files.",
    triggers=Triggers(tool_names=["Bash"], command_patterns=[r"git stash$"], match_on="invocation"),
)


def lessons(count: int) -> Iterator[Lesson]:
    """The one that the bench fires, and others about as many kinds of call as there are."""
    yield MATCHED
    kinds = itertools.cycle(itertools.product(_PROGRAMS, _VERBS, _FLAGS, _SHAPES))
    for number, (program, verb, flag, shape) in zip(range(1, count), kinds, strict=False):
        pattern = shape.format(program=program, verb=verb, flag=flag, number=number)
        triggers = Triggers(command_patterns=[pattern], match_on="invocation" if number % 2 else None)
        if number % 10 == 0:
            triggers = Triggers(path_patterns=[f"src/{program}/**/{verb}{number}*.{{ts,py}}"])
        elif number % 10 == 5:
            triggers = Triggers(error_patterns=[rf"{program}: error {number}: .*{verb}"])
        yield Lesson(
            id=f"L{number:07d}",
            slug=f"{program}-{verb}-{number}",
            summary=f"{program} {verb} with {flag} goes wrong for part {number}",
            problem=f"`{program} {verb} {flag}` fails for part {number} because of an old default. " * 2,
            solution=f"Leave {flag} out, or name part {number} in full as its own documentation says. " * 2,
            triggers=triggers,
            scope=Scope(type="global"),
            priority=1 + number % 10,
        )


def fill(home: str, count: int) -> None:
    """Publishes the lessons; they are known to be harmless, so the probe for slow patterns is left out."""
    entries = {lesson.id: entry_of(lesson, lambda source, flags: None).entry for lesson in lessons(count)}
    publish.write(home, config.load(home, {}), entries, "2026-01-01T00:00:00Z")
