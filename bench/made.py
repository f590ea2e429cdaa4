"""A number in, a data home with so many different lessons out."""

import itertools
from collections.abc import Iterator

import msgspec

from lessons import config
from lessons.model import Lesson, Scope, Triggers, When
from lessons.promote.publish.build import write_lessons
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

# Fires on a `cd` to a folder that is not here but above.
MATCHED_STATE = Lesson(
    id="MATCHED-STATE",
    slug="cd-after-cd",
    summary="cd to a folder that is not below the one the shell is in",
    problem="The shell is still in `{folder}`, and `{1}` does not exist there.",
    solution="It is `{above}/{1}`: use the whole path.",
    triggers=Triggers(
        command_patterns=[r"cd ([^-\s]\S*)(?: |$)"],
        match_on="invocation",
        when=When(absent=["{1}"], present=["{above}/{1}"]),
    ),
)
_STATES = (
    When(missing=["linter-of-nobody"]),
    When(absent=["{1}"], present=["{root}/{1}"]),
    When(present=["{1}.lock"], folder=["services/**"]),
)


def lessons(count: int, with_state: bool = False) -> Iterator[Lesson]:
    """The one that the bench fires, and others about as many kinds of call as there are.

    With `with_state` every tenth asks for the state of the machine, and one of them fires.
    """
    for lesson in _plain(count - with_state):
        number = int(lesson.id[1:]) if lesson.id.startswith("L") else 0
        yield _asking(lesson, number) if with_state and number % 10 == 3 else lesson
    if with_state:
        yield MATCHED_STATE


def _asking(lesson: Lesson, number: int) -> Lesson:
    """The same lesson for a certain state only."""
    pattern = lesson.slug.replace("-", " ") + r" (\S+)"
    triggers = Triggers(command_patterns=[pattern], match_on="invocation", when=_STATES[number % 3])
    return msgspec.structs.replace(lesson, triggers=triggers)


def _plain(count: int) -> Iterator[Lesson]:
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


def fill(home: str, count: int, with_state: bool = False) -> None:
    """Publishes the lessons; they are known to be harmless, so the probe for slow patterns is left out."""
    entries = {lesson.id: entry_of(lesson, lambda source, flags: None).entry for lesson in lessons(count, with_state)}
    write_lessons(home, config.load(home, {}), entries, "2026-01-01T00:00:00Z")
