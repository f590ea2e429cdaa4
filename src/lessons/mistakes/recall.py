"""What memory says at a call and at an error: the earlier failure that is nearest, if any is near enough.

At the call: an earlier failure has suspects, the features that failed at least as often as they worked. A call that
has half of them is like that failure. At the error: the earlier failure whose error shares the most words, rare words
counting more. Nothing is explained; what is remembered is quoted.
"""

from lessons.mistakes.error_words import error_words
from lessons.mistakes.features import features_of, program_of
from lessons.mistakes.line import commands_of
from lessons.store.memory_index import key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lessons.match.call import ToolCall
    from lessons.store.memory_index import MemoryIndex

LEAST_RATE = 0.5  # a feature that failed in fewer of its uses is no suspect
LEAST_SHARE = 0.5  # of the suspects of a failure that a call must have
SURE_WEIGHT = 0.5  # one failure of this weight is enough at a call,
LEAST_WEIGHT = 0.3  # of this it takes two
LEAST_LIKENESS = 0.3  # of the words of two errors (cosine)


class Failure:
    """An earlier failure, and the words about it; `worked` and `said` may be empty."""

    __slots__ = (
        "command", "count", "error", "general", "identifiers", "key", "last", "length", "project", "said", "suspects",
        "suspects_anywhere", "weight", "worked",
    )  # fmt: skip

    def __init__(self, record: "tuple[object, ...]") -> None:
        for name, value in zip(self.__slots__, record, strict=True):
            setattr(self, name, value)

    identifiers: list[str]  # tool_use_ids: this failure first, then others like it
    key: str  # names the mistake: it is recalled once in a session
    project: int
    command: str  # the call that failed
    error: str  # its telling line
    worked: str  # the call that worked afterwards
    said: str  # what the agent wrote right after the failure
    general: tuple[str, str, str]  # for other projects: program and options of call and fix, and the normal error
    count: int  # how often this mistake was made
    last: str  # the day it was made last
    weight: float
    suspects: int  # how many there are, in its project and on this machine
    suspects_anywhere: int
    length: float  # of the vector of its error's words


class Recall:
    """A remembered failure, and why it is recalled: failed and worked count the uses of the feature at the call."""

    __slots__ = ("failed", "failure", "feature", "is_own", "score", "worked")

    def __init__(
        self, failure: Failure, score: float, is_own: bool, feature: str = "", failed: int = 0, worked: int = 0
    ) -> None:
        self.failure, self.score, self.is_own = failure, score, is_own
        self.feature, self.failed, self.worked = feature, failed, worked


def features_of_call(call: "ToolCall") -> "set[str]":
    """Returns the features of a call as the hook sees it, the same that a scan has counted."""
    return features_of(call.names[-1], call.arguments, call.command, call.cwd)


def at_call(index: "MemoryIndex", call: "ToolCall") -> "Recall | None":
    """Returns the earlier failure that this call is like: of its project, else of another one."""
    features = features_of_call(call)
    own = index.project_of(call.cwd)
    return (own and _like(index, features, own)) or _like(index, features, 0) or None


def _like(index: "MemoryIndex", features: "Iterable[str]", project: int) -> "Recall | None":
    shared: dict[int, int] = {}
    best_of: dict[int, tuple[int, int, str]] = {}
    for feature in sorted(features):
        found = index.numbers(key_of(feature, project))
        if found is None:
            continue
        failed, worked, *failures = found
        for number in failures:
            shared[number] = shared.get(number, 0) + 1
            best_of[number] = max(best_of.get(number, (0, 0, "")), (failed, -worked, feature))
    best: Recall | None = None
    for number in sorted(shared, reverse=True):
        failure = Failure(index.record(number))
        share = shared[number] / (failure.suspects if project else failure.suspects_anywhere)
        failed, worked, feature = best_of[number]
        # One failure that surely was a mistake, or two that may have been; from other projects it takes both.
        sure, repeated = failure.weight >= SURE_WEIGHT, failed > 1 and failure.weight >= LEAST_WEIGHT
        if share < LEAST_SHARE or not (sure or repeated if project else sure and repeated):
            continue
        if best is None or share * failure.weight > best.score:
            best = Recall(failure, share * failure.weight, bool(project), feature, failed, -worked)
    return best


def at_error(index: "MemoryIndex", call: "ToolCall", error: str) -> "Recall | None":
    """Returns the earlier failure whose error is most like this one; of equals the one of this project."""
    found: dict[int, float] = {}
    length = 0.0
    for word in error_words(error, exit_code_in(error), blamed(call)):
        row = index.numbers(key_of(f"word {word}"))
        rarity = (row[0] if row else index.head["unknown"]) / 1000
        length += rarity * rarity
        for number in row[1:] if row else ():
            found[number] = found.get(number, 0.0) + rarity * rarity
    own = index.project_of(call.cwd)
    best: Recall | None = None
    for number in sorted(found, key=lambda number: (-found[number], -number))[:50]:
        failure = Failure(index.record(number))
        likeness = found[number] / ((length**0.5) * failure.length or 1.0)
        if likeness < LEAST_LIKENESS or not (failure.worked or failure.said):
            continue
        is_own = failure.project == own
        if best is None or (likeness, is_own) > (best.score, best.is_own):
            best = Recall(failure, likeness, is_own)
    return best


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
    return int(digits[0]) if digits and digits[0].lstrip("-").isdigit() else None
