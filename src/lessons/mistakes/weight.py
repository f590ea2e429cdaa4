"""How probable it is that a failed call was a mistake worth remembering: one weighted sum, no rules.

The numbers are in weights.json, made by `make train`. A feature is a word of the error that programs of many
repositories use, its size, what it names of the call, and what the agent did next.
"""

import math
import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

import msgspec

from lessons.episode import Step
from lessons.errors import Refused
from lessons.match.tools import canonical_name
from lessons.mistakes.error_words import error_words
from lessons.mistakes.steps import features, is_same, jaccard, text_of, worked

ENOUGH = 0.28  # a failure from here on, or a group of them in the mean, is likelier a mistake than most failures are
MOST_NUMBERS = 400
VARIABLE = "LESSONS_MEMORY_WEIGHTS"
WORD = "word:"  # how the name of a feature that is a word of the error starts
_SHIPPED = os.path.join(os.path.dirname(__file__), "weights.json")
_EDITORS = frozenset(("Edit", "Write", "NotebookEdit"))
_LOOKERS = frozenset(("Read", "Grep", "Glob"))
_EXIT_CODES = frozenset((1, 2, 124, 126, 127, 128, 130, 143))
_CALLS_AFTER = 8
_SOON = 3  # calls
_SIMILAR = 0.3
_SHORT = 200
_LONGEST_CALL = 2000
_READ_FOR_NAMES, _READ_FOR_OPTIONS = 1500, 400
_MOST_NAMED = 3
_NAME = re.compile(r"[A-Za-z][\w-]{2,}")
_OPTION = re.compile(r"(?<!\S)--?[A-Za-z][\w-]+")
_EXIT_LINE = re.compile(r"\A\s*Exit code:? -?\d+\s*")
_SEPARATOR = re.compile(r"&&|[;\n|]")


class Weights(msgspec.Struct, frozen=True):
    """The content of weights.json."""

    bias: float
    weights: dict[str, float]
    provenance: dict[str, object] = {}


def weigh(thread: Sequence[Step], place: int) -> float:
    """Returns p(a mistake worth remembering) of the failed call at this place, between 0 and 1."""
    return probability(weights(), weight_features(thread, place))


def probability(known: Weights, found: dict[str, float]) -> float:
    total = known.bias + sum(known.weights.get(name, 0.0) * value for name, value in found.items())
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))


def weights() -> Weights:
    """Returns the numbers that came with lessons, or those of the file that the environment names."""
    return _read(os.environ.get(VARIABLE) or _SHIPPED)


@cache
def _read(path: str) -> Weights:
    try:
        with open(path, "rb") as file:
            found = msgspec.json.decode(file.read(), type=Weights)
    except OSError as fault:
        reason = fault.strerror or "it cannot be read"
    except msgspec.MsgspecError as fault:
        reason = str(fault)
    else:
        if len(found.weights) < MOST_NUMBERS:
            return found
        reason = f"it has {len(found.weights) + 1} numbers, more than {MOST_NUMBERS}"
    raise Refused(f"{path} is not a usable file of weights ({reason}): correct {VARIABLE}, or remove it.")


def weight_features(thread: Sequence[Step], place: int) -> dict[str, float]:
    """Returns the features of a failed call in its thread; none names a program, an option or a project."""
    step = thread[place]
    words = error_words(step.error, None, "")
    found = {f"{WORD}{word}": 1.0 for word in words if word[0] != "="}
    code = step.exit_code
    found[f"exit:{'none' if code is None else code if code in _EXIT_CODES else 'other'}"] = 1.0
    found |= {name: float(value) for name, value in (*_of_error(step), *_of_call(step), *_after(thread, place))}
    return found


def _of_error(step: Step) -> Iterator[tuple[str, float]]:
    error, call = step.error, text_of(step)[:_LONGEST_CALL]
    yield "error:length", math.log1p(len(error)) / 5
    yield "error:short", len(error) < _SHORT
    yield "error:lines", math.log1p(error.count("\n")) / 3
    yield "error:empty", len(_EXIT_LINE.sub("", error[:_SHORT]).strip()) < 2 and len(error) < _SHORT
    said = {word.lower() for word in _NAME.findall(error[:_READ_FOR_NAMES])}
    named = said & {word.lower() for word in _NAME.findall(call)}
    yield "error:names", min(_MOST_NAMED, len(named)) / _MOST_NAMED
    beginning = error[:_READ_FOR_OPTIONS]
    yield "error:names-option", any(option in beginning for option in _OPTION.findall(call))


def _of_call(step: Step) -> Iterator[tuple[str, float]]:
    call = text_of(step)[:_LONGEST_CALL]
    yield "call:shell", canonical_name(step.tool) == "Bash"
    yield "call:length", math.log1p(len(call)) / 8
    yield "call:commands", math.log1p(len(_SEPARATOR.findall(call)))


def _after(thread: Sequence[Step], place: int) -> Iterator[tuple[str, float]]:
    """Yields what the agent did next: correct its files, look, do the same again, do it differently."""
    failure = thread[place]
    later = list(islice(thread, place + 1, place + 1 + _CALLS_AFTER))
    if not later:
        yield "after:nothing", 1
        return
    tools = [canonical_name(step.tool) for step in later]
    yield "after:edit", tools[0] in _EDITORS
    yield "after:look", tools[0] in _LOOKERS
    yield "after:edit-soon", any(tool in _EDITORS for tool in tools[:_SOON])
    again = next((step for step in later if is_same(step, failure)), None)
    if again:
        yield f"after:same-{'works' if worked(again) else 'fails'}", 1
    own = features(failure)
    for number, step in enumerate(later, start=1):
        differs = step.tool == failure.tool and worked(step) and not is_same(step, failure)
        if differs and jaccard(features(step), own) >= _SIMILAR:
            yield "after:similar-works", 1
            yield "after:similar-soon", 1 / number
            break
    yield "after:fails-again", later[0].tool == failure.tool and later[0].outcome == "failed"
