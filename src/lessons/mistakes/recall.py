"""What memory says at a call and at an error: the earlier failure that is nearest, if any is near enough.

At the call: an earlier failure has suspects, the features that failed at least as often as they worked. A call that
has half of them is like that failure, and is told of it if no more such calls worked than failed. At the error: the
earlier failure whose error shares the most words, rare words counting more. Nothing is explained; what is remembered
is quoted.
"""

from lessons.mistakes.features import commands_of, error_words, features_of, program_of
from lessons.store.memory_index import key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lessons.match.call import ToolCall
    from lessons.store.memory_index import MemoryIndex

LEAST_RATE = 0.5  # a feature that failed in fewer of its uses is no suspect
LEAST_SHARE = 0.5  # of the suspects of a failure that a call must have
SURE_WEIGHT = 0.5  # one failure of this weight is enough at a call,
LEAST_WEIGHT = 0.3  # of this it takes two
LEAST_LIKENESS = 0.3  # of the words of two errors (cosine)
LONGEST_CALL = 160  # that is quoted
_LONGEST_TEXT = 4000  # of a call that is compared
_MOST_ARGUMENTS, _LONGEST_ARGUMENT = 4, 60


class Failure:
    """An earlier failure, and the words about it; `worked` and `said` may be empty."""

    __slots__ = (
        "command", "count", "error", "fix", "general", "heads", "identifiers", "key", "last", "length", "project",
        "said", "suspects", "suspects_anywhere", "weight", "worked",
    )  # fmt: skip

    def __init__(self, record: "tuple[object, ...]") -> None:
        for name, value in zip(self.__slots__, record, strict=True):
            setattr(self, name, value)

    @property
    def signature(self) -> str:
        """The normal form of its error."""
        return self.key.split("\n", 2)[-1]

    identifiers: list[str]  # tool_use_ids: this failure first, then others like it
    key: str  # names the mistake: it is recalled once in a session
    project: int
    command: str  # the call that failed
    error: str  # its telling line
    worked: str  # the call that worked afterwards
    fix: int  # the key of the whole call that worked, also of one that is not quoted; 0 if none did
    said: str  # what the agent wrote right after the failure
    heads: tuple[str, ...]  # features: the commands that the error names; empty if it names none
    general: tuple[str, str, str]  # for other projects: program and options of call and fix, and the normal error
    count: int  # how often this mistake was made
    last: str  # the day it was made last
    weight: float
    suspects: int  # how many there are, in its project and on this machine
    suspects_anywhere: int
    length: float  # of the vector of its error's words


class Recall:
    """A remembered failure, and why it is recalled: failed and worked count the uses of the feature at the call."""

    __slots__ = ("failed", "failure", "feature", "is_own", "score", "suspects", "worked")
    suspects: "list[str]"  # what the call has in common with failures

    def __init__(
        self, failure: Failure, score: float, is_own: bool, feature: str = "", failed: int = 0, worked: int = 0
    ) -> None:
        self.failure, self.score, self.is_own = failure, score, is_own
        self.feature, self.failed, self.worked = feature, failed, worked
        self.suspects = []


def call_text(tool: str, command: "str | None", arguments: object) -> str:
    """Returns a call on one line."""
    if command:
        return cut(command, _LONGEST_TEXT)
    return cut(f"{tool} {_start(arguments)[1:-1]}" if isinstance(arguments, dict) else tool, _LONGEST_TEXT)


def _start(value: object, depth: int = 3) -> str:
    """Returns the first values as text, without writing out all of a large or deep one."""
    if not isinstance(value, dict | list):
        return str(value)[:_LONGEST_ARGUMENT]
    if not depth:
        return "…"
    if isinstance(value, list):
        return f"[{', '.join(_start(each, depth - 1) for each in value[:_MOST_ARGUMENTS])}]"
    some = list(value.items())[:_MOST_ARGUMENTS]
    return "{" + ", ".join(f"{name}: {_start(each, depth - 1)[:_LONGEST_ARGUMENT]}" for name, each in some) + "}"


def cut(text: str, longest: int) -> str:
    line = " ".join(text[: 8 * longest].split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def is_fix(failure: Failure, call: "ToolCall") -> bool:
    """Whether this call is what worked then: it needs no advice, and if it failed, it is none."""
    return failure.fix == key_of(call_text(call.names[-1], call.command, call.arguments))


def features_of_call(call: "ToolCall") -> "set[str]":
    """Returns the features of a call as the hook sees it, the same that a scan has counted."""
    return features_of(call.names[-1], call.arguments, call.command, call.cwd)


def at_call(
    index: "MemoryIndex",
    call: "ToolCall",
    root_of: "Callable[[str], str]" = lambda folder: "",
    silent: "Callable[[Iterable[str]], set[str]] | None" = None,
) -> "Recall | None":
    """Returns the earlier failure that this call is like: of its project, else of another one.

    `root_of` finds the root of a folder's project. `silent` returns those suspects of the call that say nothing: they
    have worked in this session.
    """
    features = features_of_call(call)
    own = index.project_of(call.cwd, root_of)
    return (own and _like(index, features, own, silent)) or _like(index, features, 0, silent) or None


def _like(
    index: "MemoryIndex",
    features: "set[str]",
    project: int,
    silent: "Callable[[Iterable[str]], set[str]] | None",
) -> "Recall | None":
    shared: dict[int, int] = {}
    best_of: dict[int, tuple[int, int, str]] = {}
    looked_up = ((feature, index.numbers(key_of(feature, project))) for feature in sorted(features))
    suspects = {feature: found for feature, found in looked_up if found is not None}
    for feature in silent(suspects) if silent and suspects else ():
        del suspects[feature]
    for feature, found in suspects.items():
        failed, worked, *failures = found
        for number in failures:
            shared[number] = shared.get(number, 0) + 1
            best_of[number] = max(best_of.get(number, (0, 0, "")), (failed, -worked, feature))
    best: Recall | None = None
    for number in sorted(shared, reverse=True):
        failure = Failure(index.record(number))
        share = shared[number] / (failure.suspects if project else failure.suspects_anywhere)
        failed, worked, feature = best_of[number]
        # What the error names is no part of this call.
        if failure.heads and features.isdisjoint(failure.heads):
            continue
        # One failure that surely was a mistake, or two that may have been; from other projects it takes both.
        sure, repeated = failure.weight >= SURE_WEIGHT, failed > 1 and failure.weight >= LEAST_WEIGHT
        if share < LEAST_SHARE or not (sure or repeated if project else sure and repeated and any(failure.general[1:])):
            continue
        if best is None or share * failure.weight > best.score:
            best = Recall(failure, share * failure.weight, bool(project), feature, failed, -worked)
            best.suspects = list(suspects)
    return best


def at_error(
    index: "MemoryIndex", call: "ToolCall", error: str, root_of: "Callable[[str], str]" = lambda folder: ""
) -> "Recall | None":
    """Returns the earlier failure whose error is most like this one; of equals the one of this project."""
    found: dict[int, float] = {}
    length = 0.0
    for word in error_words(error, exit_code_in(error), blamed(call)):
        row = index.numbers(key_of(f"word {word}"))
        rarity = (row[0] if row else index.head["unknown"]) / 1000
        length += rarity * rarity
        for number in row[1:] if row else ():
            found[number] = found.get(number, 0.0) + rarity * rarity
    own = index.project_of(call.cwd, root_of)
    best: Recall | None = None
    for number in sorted(found, key=lambda number: (-found[number], -number))[:50]:
        failure = Failure(index.record(number))
        likeness = found[number] / ((length**0.5) * failure.length or 1.0)
        is_own = failure.project == own
        if likeness < LEAST_LIKENESS or not _tells_something(failure, is_own):
            continue
        if best is None or (likeness, is_own) > (best.score, best.is_own):
            best = Recall(failure, likeness, is_own)
    return best


def _tells_something(failure: Failure, is_own: bool) -> bool:
    """Whether the agent, who has just read the error, learns anything more from what may be quoted.

    That nothing like a sure mistake worked in its own project is news, too.
    """
    failed, worked, _ = failure.general
    if not is_own:
        return worked not in ("", failed)
    return bool(failure.worked or failure.said) or failure.weight >= SURE_WEIGHT


def failures_in(index: "MemoryIndex") -> "Iterator[Failure]":
    """Yields everything that is remembered, newest first; for people, never at a call."""
    for number in reversed(range(index.head["failures"])):
        yield Failure(index.record(number))


def blamed(call: "ToolCall") -> str:
    """Returns the first program of a shell line, or the tool: a word of the error like others."""
    if call.command is None:
        return call.names[-1]
    commands = commands_of(call.command)
    return next((program_of(each.words[0][0]) for each in commands if each.words), "")


def exit_code_in(error: str) -> "int | None":
    """Returns the exit code that a client writes above the output."""
    head = error[:40].removeprefix("Error: ")
    if not head.startswith("Exit code "):
        return None
    digits = head[10:].split(None, 1)
    return int(digits[0]) if digits and digits[0].lstrip("-").isdecimal() else None
