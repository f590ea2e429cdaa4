"""Tries regexes on hostile texts under the hook's own time limit, to find those that could take too long.

The texts are made from the repetitions of the regex itself. What evades them is still interrupted where it runs: by the
deadline of the hook, and by match/time_limit.py elsewhere.
"""

import math
import re
import time
from collections.abc import Iterator
from functools import lru_cache
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from lessons.match.time_limit import LIMIT_SECONDS, TimeLimit, TooSlow, can_interrupt, time_limit
from lessons.promote.publish.literals import name_of, parts_of, tree_of

# A repetition of fewer times than this, and fewer choices than that, cannot make a search noticeably slower.
_FEW_TIMES = 4
_FEW_CHOICES = 6
# A regex of this length may be slow just by its number of alternatives.
_LONG_SOURCE = 400
_MOST_SHAPES = 60
_MOST_VERDICTS = 10_000
_LONGEST_SAMPLE = 200
# What a command may hold: the same thing over and over, texts that nearly match, and several lines.
_LONGEST_RUN, _LONGEST_OF_NEAR_MATCHES, _LONGEST_COMMAND = 1_000, 600, 5_000
_SHORT_TEXT = 200
# Without a timer nothing ends a search: texts grow so slowly that even exponential time is noticed early.
_LENGTHS_WITHOUT_TIMER = (*range(8, _SHORT_TEXT, 4), _SHORT_TEXT)
# Linear time stays below this in a short text; quadratic time does not.
_SUSPICIOUS_SECONDS = 0.000_02
_VARIANTS = range(6)
_FAVOURITES = "a0 -_/.=:,;\"'\\\n\t!Aé"
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
# No name, no blank line and no end of text goes on after it, so what was matched before is tried again and again.
_STOPPER = "!\n\n\0"


class Shape(NamedTuple):
    """Texts that begin with the head, go on with the pump over and over, and end in the tail."""

    head: str
    pump: str
    tail: str
    longest: int = _LONGEST_RUN

    def text(self, length: int) -> str:
        times = max(_FEW_TIMES, (length - len(self.head)) // len(self.pump))
        return self.head + self.pump * times + self.tail

    def __str__(self) -> str:
        opening = f"{self.head[:40]!r} and then " if self.head else ""
        return f"{opening}{self.pump[:40]!r} over and over"


_COMMAND = (
    "cd /srv/app && FOO=1 timeout 60 python3 -m pytest -x 'unit tests' --maxfail=1 -k \"not slow\" | tee log.txt; "
    "git commit -am 'Fix the login page' && git push origin HEAD:refs/heads/main --force-with-lease; "
    "curl -sSL https://example.org/a/b.tar.gz?x=1&y=2 | tar xz -C /tmp; for f in *.py; do echo $f >> out; done\n"
)
_SCRIPT = "def handler(event, context):\n    value = event['key'].get(\"name\", None)  # why\n\treturn value + 1\n\n"
EVERYDAY = (
    Shape("", _COMMAND, "", _LONGEST_COMMAND),
    Shape("python3 - <<'EOF'\n", _SCRIPT, "EOF", _LONGEST_COMMAND),
    *(Shape("", pump, "!") for pump in ("a", " ", "/", "-", "0", "a ", "/a", "a-", "a.b ", "\n", "é")),
)


@lru_cache(maxsize=_MOST_VERDICTS)
def find_danger(source: str, flags: int) -> str | None:
    """Returns None if the regex stays fast on hostile texts, else the kind of text on which it does not."""
    compiled = re.compile(source, flags)
    try:
        tree = tree_of(source, flags)
        if not can_be_slow(tree) and len(source) < _LONG_SOURCE:
            return None
        tried = shapes(tree)
    except RecursionError:
        return "It is nested too deeply to be tried out."
    with time_limit() as limit:
        found = _slow_shape(_Trial(compiled, limit), tried)
    return f"It takes more than {LIMIT_SECONDS * 1000:.0f} ms on a text with {found}." if found else None


class _Trial:
    def __init__(self, compiled: re.Pattern[str], limit: TimeLimit) -> None:
        self._compiled = compiled
        self._limit = limit

    def seconds(self, shape: Shape, length: int) -> float:
        """Returns the processor time of a search, infinite if it was interrupted; noise only makes it slower."""
        text = shape.text(length)
        quickest = math.inf
        for _ in range(3):
            began = time.thread_time()
            try:
                self._limit.run(self._compiled.search, text)
            except TooSlow:
                return math.inf
            quickest = min(quickest, time.thread_time() - began)
            if quickest <= LIMIT_SECONDS:
                break
        return quickest

    def of_short_text(self, shape: Shape) -> float:
        for length in (_SHORT_TEXT,) if can_interrupt() else _LENGTHS_WITHOUT_TIMER:
            if (seconds := self.seconds(shape, length)) > LIMIT_SECONDS:
                break
        return seconds


def _slow_shape(trial: _Trial, tried: list[Shape]) -> Shape | None:
    """Tests every shape as a short text first, then the slowest ones at the length of a long command."""
    timed: dict[str, tuple[float, Shape]] = {}
    for shape in tried:
        seconds = trial.of_short_text(shape)
        if seconds > LIMIT_SECONDS or (
            seconds > LIMIT_SECONDS / 10 and trial.seconds(shape, shape.longest) > LIMIT_SECONDS
        ):
            return shape
        timed[shape.pump] = max((seconds, shape), timed.get(shape.pump, (0.0, shape)))
    for seconds, shape in sorted(timed.values(), reverse=True)[:2]:
        if not _SUSPICIOUS_SECONDS < seconds <= LIMIT_SECONDS / 10:
            continue
        # The growth from a short to a medium text says whether the long one is worth a try.
        middle = trial.seconds(shape, 2 * _SHORT_TEXT)
        growth = max(2.0, middle / seconds)
        if middle * math.pow(growth, math.log2(shape.longest / (2 * _SHORT_TEXT))) <= LIMIT_SECONDS / 2:
            continue
        if trial.seconds(shape, shape.longest) > LIMIT_SECONDS:
            return shape
    return None


def can_be_slow(items: Any) -> bool:
    """Whether there is a repetition or so many choices that trying it out is worth the time."""
    choices = 0
    for operation, argument in _everything(items):
        if operation in _REPEATS and argument[1] >= _FEW_TIMES:
            return True
        choices += operation == "BRANCH" or (operation in _REPEATS and argument[0] != argument[1])
    return choices > _FEW_CHOICES


def shapes(items: Any) -> list[Shape]:
    """Returns the shapes for this regex, without repeats, short ones of its own first."""
    found: dict[Shape, None] = {}
    for shape in _own_shapes(items):
        found[shape] = None
        if len(found) >= _MOST_SHAPES:
            break
    return [*found, *EVERYDAY]


def _own_shapes(items: Any) -> Iterator[Shape]:
    for variant in _VARIANTS[:2]:
        almost = _sample(items, variant)[:-1]
        if almost:
            yield Shape(almost, "!", "")
            yield Shape("", almost, "", _LONGEST_OF_NEAR_MATCHES)
    for head, body in _repetitions(items, ""):
        ending = _sample(body, 1)[-1:] * 2
        for pump in dict.fromkeys(_sample(body, variant) for variant in _VARIANTS):
            if pump:
                yield from (Shape(head, pump, tail) for tail in (_STOPPER, "", ending))


def _repetitions(items: Any, head: str) -> Iterator[tuple[str, Any]]:
    """Yields the body of each long repetition, with a text that leads there."""
    for item in parts_of(items):
        operation, argument = name_of(item[0]), item[1]
        if operation in _REPEATS and argument[1] >= _FEW_TIMES:
            yield head, argument[2]
        for inner in _inside(operation, argument):
            yield from _repetitions(inner, head)
        head = (head + _sample([item], 0))[-_LONGEST_SAMPLE:]


def _everything(items: Any) -> Iterator[tuple[str, Any]]:
    for operation, argument in parts_of(items):
        name = name_of(operation)
        yield name, argument
        for inner in _inside(name, argument):
            yield from _everything(inner)


def _inside(operation: str, argument: Any) -> list[Any]:
    """Returns the sequences that a part is made of."""
    if operation in _REPEATS:
        return [argument[2]]
    match operation:
        case "SUBPATTERN":
            return [argument[3]]
        case "ATOMIC_GROUP":
            return [argument]
        case "BRANCH":
            return list(argument[1])
        case "ASSERT" | "ASSERT_NOT":
            return [argument[1]]
        case "GROUPREF_EXISTS":
            return [inner for inner in argument[1:] if inner is not None]
    return []


def _sample(items: Any, variant: int) -> str:
    """Returns a text that the items match, nearly always; the variant decides at every choice."""
    text = ""
    for position, (operation, argument) in enumerate(parts_of(items)):
        text += _sample_part(name_of(operation), operation, argument, variant, position)
    return text[:_LONGEST_SAMPLE]


def _sample_part(name: str, operation: Any, argument: Any, variant: int, position: int) -> str:
    if name == "LITERAL":
        return chr(argument)
    if name in _REPEATS:
        least, _, body = argument
        # Variant 0: as few as possible, 1: everything once, the others: every second optional part.
        wanted = (0, 1, position % 2, (position + 1) % 2, 0, 1)[variant]
        times = min(max(int(least), wanted), _LONGEST_SAMPLE)
        return (_sample(body, variant) * times)[:_LONGEST_SAMPLE]
    match name:
        case "ANY":
            return _FAVOURITES[variant % 3]
        case "NOT_LITERAL" | "IN":
            fitting = _members(operation, tuple(argument) if name == "IN" else argument)
            return fitting[variant % len(fitting)]
        case "BRANCH":
            return _sample(argument[1][variant % len(argument[1])], variant)
        case "SUBPATTERN" | "ATOMIC_GROUP":
            return _sample(_inside(name, argument)[0], variant)
    return ""


@lru_cache(maxsize=1_000)
def _members(operation: Any, argument: Any) -> list[str]:
    """Returns characters of a class: of those that people use most, else some that the class names."""
    part = (operation, list(argument) if isinstance(argument, tuple) else argument)
    one = _compiler.compile(_parser.SubPattern(_parser.State(), [part]))
    if fitting := [char for char in _FAVOURITES if one.match(char)][:3]:
        return fitting
    named = [value if name_of(kind) == "LITERAL" else value[0] for kind, value in argument if name_of(kind) in _NAMED]
    return [chr(number) for number in named[:3]] or ["a"]


_NAMED = ("LITERAL", "RANGE")
