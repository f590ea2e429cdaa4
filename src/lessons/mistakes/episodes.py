"""Finds the failed calls of a thread: each with its weight, the call that worked afterwards, its kind and its cost.

The weight is how probably the call was a mistake worth remembering: one weighted sum, no rules. Its numbers are in
weights.json, made by `make train`. A feature is a word of the error that programs of many repositories use, its size,
what it names of the call, and what the agent did next.
"""

import math
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache, lru_cache
from itertools import islice

import msgspec

from lessons.episode import Kind, Step
from lessons.errors import Refused
from lessons.failure.error_text import signature, telling_line
from lessons.match.call import canonical_name
from lessons.mistakes.failed_call import VARIABLE, is_alike, own_features, programs_of, shipped_weights, words_of
from lessons.mistakes.features import commands_of, family_of, features_of, heads_of, program_of
from lessons.shell.bypass import is_unsafe_call
from lessons.shell.describe import only_looks
from lessons.store.history.episodes import EpisodeRow

_REMEMBERED = 4096  # calls: of a thread each is looked at several times


@lru_cache(maxsize=_REMEMBERED)
def features(step: Step) -> frozenset[str]:
    """Returns the features of a call, as the hook has them for a call that is about to be made."""
    return frozenset(features_of(step.tool, arguments_of(step), step.command or None, step.cwd))


def text_of(step: Step) -> str:
    """Returns the line of a shell, or the arguments of another tool."""
    return step.command or step.arguments


@lru_cache(maxsize=_REMEMBERED)
def words(step: Step) -> frozenset[str]:
    return words_of(text_of(step))


@lru_cache(maxsize=_REMEMBERED)
def programs(step: Step) -> tuple[str, ...]:
    """Returns those of a line; none for another tool than a shell."""
    return programs_of(step.command)


def is_same(one: Step, other: Step) -> bool:
    """Whether it is the identical call, in whatever folder."""
    return (one.tool, one.command, one.arguments) == (other.tool, other.command, other.arguments)


def worked(step: Step) -> bool:
    return step.outcome == "ok" and not step.suspicious


def is_counted(step: Step) -> bool:
    """Whether it is known how the call ended: only such calls are counted."""
    return step.outcome == "failed" or worked(step)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Returns the shared part of both sets together."""
    return len(one & other) / len(one | other) if one or other else 1.0


def arguments_of(step: Step) -> object:
    """Returns the decoded arguments of another tool than a shell."""
    if step.command or not step.arguments:
        return None
    try:
        return msgspec.json.decode(step.arguments)
    except msgspec.DecodeError:  # a damaged row
        return None


MOST_NUMBERS = 400
_EDITORS = frozenset(("Edit", "Write", "NotebookEdit"))
_LOOKERS = frozenset(("Read", "Grep", "Glob"))
_CALLS_AFTER = 8
_SOON = 3  # calls
_SIMILAR = 0.3


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
    return _read(os.environ.get(VARIABLE) or shipped_weights())


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
    found = own_features(step.error, step.exit_code, text_of(step), canonical_name(step.tool) == "Bash")
    return found | {name: float(value) for name, value in _after(thread, place)}


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


def first_retry(thread: Sequence[Step], place: int, similar: Iterable[int]) -> int | None:
    """Returns the first of the similar calls that is a retry of the failed one."""
    return next((number for number in similar if _is_retry(thread[place], thread[number])), None)


def similar_after(thread: Sequence[Step], place: int, window: int) -> list[int]:
    """Returns the places of similar calls that worked, retries or not, among the next `window` calls."""
    failure = thread[place]
    later = enumerate(islice(thread, place + 1, place + 1 + window), start=place + 1)
    worked_later = (item for item in later if worked(item[1]) and not "" < item[1].time < failure.ended)
    return [number for number, step in worked_later if _is_similar(failure, step)]


def is_remedy(step: Step) -> bool:
    """Whether a call that worked may be told: one that skips a check, forces, deletes or discards may not."""
    return not is_unsafe_call(canonical_name(step.tool), step.command, arguments_of(step))


def _is_similar(failure: Step, step: Step) -> bool:
    if is_same(failure, step) or not is_alike(words(failure), words(step), _same_kind(failure, step)):
        return False
    # What only looks, such as `--help`, does not do what the failed call was to do.
    return not (failure.command and step.command and only_looks(step.command) and not only_looks(failure.command))


def _same_kind(failure: Step, step: Step) -> bool:
    if not failure.command or not step.command:
        return failure.tool == step.tool
    return bool(set(programs(failure)) & set(programs(step)))


def _is_retry(failure: Step, step: Step) -> bool:
    """Whether the command to blame was run again, with or without a wrapper: not another sub-command or program.

    Words that the error names may differ, and the program if nothing else does.
    """
    if not failure.command or not step.command:
        return failure.tool == step.tool or is_named(step.tool, failure.error)
    commands = [each.words for each in commands_of(failure.command) if each.words]
    to_blame = [words for words in commands if program_of(words[0][0]) == blamed(failure)] or commands
    later = [each.words for each in commands_of(step.command) if each.words]
    return any(
        _begins_in(old, new, failure.error) or _begins_in(new, old, failure.error) or (old[1:] and old[1:] == new[1:])
        for old in to_blame
        for new in later
    )


def _begins_in(one: list[tuple[str, bool]], other: list[tuple[str, bool]], error: str) -> bool:
    """Whether program and sub-commands of one command occur in the other one."""
    begins, occurs = heads_of(one), [program_of(word) if not number else word for number, (word, _) in enumerate(other)]
    return any(
        all(
            head == word or is_named(head, error) or is_named(word, error)
            for head, word in zip(begins, occurs[start:], strict=False)
        )
        for start in range(max(1, len(occurs) - len(begins) + 1))
    )


_NOT_FOUND = 127  # the exit code of a shell for a missing program
_GO = "cd"  # what goes to another folder
_READ = 4000
# Families of features, most telling first; of several that differ the first one names the kind.
_KINDS: dict[str, Kind] = {
    "option": "wrong-flag",
    "words": "wrong-command",
    "word": "wrong-command",
    "program": "wrong-command",
    "escape": "quoting",
    "path": "wrong-path",
    "path-shape": "wrong-path",
    "folder": "wrong-path",
    "place": "wrong-path",
    "kind": "wrong-path",
    "argument": "wrong-arguments",
    "value": "wrong-arguments",
    "shape": "wrong-arguments",
    "argument-shape": "wrong-arguments",
    "value-kind": "wrong-path",
    "value-folder": "wrong-path",
    "assigned": "order-of-steps",
    "module": "wrong-arguments",
    "name": "wrong-arguments",
}
_ORDER = {family: number for number, family in enumerate(_KINDS)}


def kind_of_mistake(failure: Step, fix: Step | None) -> Kind:
    """Returns the kind, preferring what the error names."""
    if fix is None:
        return "telling-error"
    if failure.tool != fix.tool:
        return "other-tool"
    if failure.command:
        before, after = programs(failure), programs(fix)
        gone = [name for name in before if name not in after and name != _GO]
        said = telling_line(failure.error)
        if gone and (failure.exit_code == _NOT_FOUND or any(is_named(name, said) for name in gone)):
            return "missing-tool"
        if _bare(failure.command) == _bare(fix.command):
            return "quoting"
        if _bare(fix.command).endswith(_bare(failure.command)):
            return "wrong-path" if _GO in after and _GO not in before else "order-of-steps"
    lost, added = features(failure) - features(fix), features(fix) - features(failure)
    named = [feature for feature in lost if is_named(last_word(feature), failure.error)]
    if not named and any(map(_goes, (*lost, *added))):
        return "wrong-path"
    for found in (named, lost, added):
        if kind := _first(found):
            return kind
    return "wrong-arguments"


def last_word(feature: str) -> str:
    """Returns what a feature is about: `--stat` of `option:git log --stat`."""
    return feature.rpartition(" ")[2].rpartition("=")[2].rstrip("/")


def is_named(word: str, text: str) -> bool:
    """Whether the text has this as a word of its own."""
    return len(word) > 1 and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text[:_READ]) is not None


def _first(found: Iterable[str]) -> Kind | None:
    known = [feature for feature in found if family_of(feature) in _KINDS]
    if not known:
        return None
    first = min(known, key=lambda feature: (_ORDER[family_of(feature)], feature))
    return "wrong-path" if _goes(first) else _KINDS[family_of(first)]


def _goes(feature: str) -> bool:
    return feature.partition(":")[2].startswith(f"{_GO} ")


def _bare(line: str) -> str:
    """Returns a line without quotes, backslashes and repeated blanks."""
    return " ".join(re.sub(r"[\"'\\]", "", line).split())


_LONGEST_CALL, _LONGEST_PAUSE = 600.0, 60.0  # seconds: whoever returns later did something else meanwhile
_DIGITS = 4  # of a weight: as many as tell anything


def failures(thread: Sequence[Step], places: Iterable[int]) -> Iterator[int]:
    """Yields those of the places with a failed call."""
    return (place for place in places if thread[place].outcome == "failed")


def episode_at(session_id: str, thread: Sequence[Step], place: int, window: int) -> EpisodeRow:
    """Describes the failed call at this place; `window` is how many calls after it may be its fix."""
    failure = thread[place]
    similar = similar_after(thread, place, window)
    retry = first_retry(thread, place, similar)
    worked = thread[similar[0] if retry is None else retry] if similar else None
    fix = thread[retry] if retry is not None and is_remedy(thread[retry]) else None
    # The cost ends where the agent got on, in whatever way.
    got_on = similar[0] if similar and is_remedy(thread[similar[0]]) else None
    lost = got_on - place if got_on else 1
    return EpisodeRow(
        failure.tool_use_id,
        session_id,
        kind_of_mistake(failure, fix),
        blamed(failure),
        signature(failure.error),
        fix.tool_use_id if fix else "",
        round(weigh(thread, place), _DIGITS),
        lost,
        _seconds(failure, thread[got_on] if got_on else None, lost),
        worked.tool_use_id if worked else "",
    )


def blamed(step: Step) -> str:
    """Returns the program of the line that the error names, else the one that does the work; or the tool."""
    if not step.command:
        return step.tool
    line, names = telling_line(step.error), programs(step)
    own = step.program or (names[-1] if names else step.tool)
    return next((name for text in (line, step.error) for name in (own, *names) if is_named(name, text)), own)


def _seconds(failure: Step, got_on: Step | None, calls: int) -> float:
    """Returns the time of the failed call plus the time to the one that worked, without pauses."""
    lost = min(_between(failure.time, failure.ended), _LONGEST_CALL)
    if got_on:
        lost += min(_between(failure.ended or failure.time, got_on.time), _LONGEST_PAUSE * calls)
    return round(lost, 1)


def _between(one: str, other: str) -> float:
    try:
        return max(0.0, (datetime.fromisoformat(other) - datetime.fromisoformat(one)).total_seconds())
    except (ValueError, TypeError):
        return 0.0
