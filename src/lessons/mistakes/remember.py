"""Builds the index of memory: failures worth recalling, their suspects, the words of their errors, known folders."""

import json
import marshal
import math
import os
import re
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from lessons.errors import DamagedFile
from lessons.failure.error_text import telling_line
from lessons.lesson_fields import BEFORE_A_CALL, has_any
from lessons.mistakes.episodes import is_named, weights
from lessons.mistakes.failed_call import WORD
from lessons.mistakes.features import (
    commands_of,
    error_words,
    family_of,
    features_of,
    heads_of,
    key_of,
    names_in,
    program_of,
    words_in,
)
from lessons.mistakes.group import fingerprint, mistakes_of
from lessons.mistakes.group import key_of as mistake_key
from lessons.mistakes.recall import LEAST_RATE, LEAST_SHARE, LONGEST_CALL, call_text, cut
from lessons.paths import memory_index_file
from lessons.store import files, lesson_file, memory_index
from lessons.store.consent import consent_of
from lessons.store.history.episodes import Diagnosis, FailedCall
from lessons.store.history.history import History
from lessons.store.hook_index import checksum

LEAST_WEIGHT = 0.2  # a failure of less weight is normal work and is not remembered
_MOST_FAILURES = 64  # of one feature or word; the newest
_MOST_OTHERS = 4  # tool_use_ids beside the quoted failure
_LONGEST_ERROR, _LONGEST_SAID = 140, 240
_SHORT_CALL, _BEFORE_DIFFERENCE = 80, 40
_COMMON = 4  # a word in more than one of so many errors tells nothing
_PLACEHOLDER = re.compile(r"<\w+>")
# Without its value, which may be joined to it: `--key=value`, `-pvalue`.
_OPTION = re.compile(r"--[A-Za-z][\w-]*|-[A-Za-z]")
# Families about this project's own files, folders and values say nothing in another one.
_LOCAL = frozenset(("folder", "path", "path-shape", "word", "name", "value", "value-folder", "place"))


_Counted = tuple[str, bool, "array[int]"]  # the project of a call, whether it failed, and the keys of its features
_Suspects = tuple[list[str], list[str]]  # of a failure, in its project and on the machine


class _Remembered(NamedTuple):
    call: FailedCall
    features: frozenset[str]
    exonerated: frozenset[str]  # features of the call that worked
    words: frozenset[str]
    said: str


def remember(history: History, is_changed: bool = False) -> None:
    """Makes the index of memory anew from the history if mining, or what else the caller knows of, has changed that."""
    if not is_changed and is_current(history):
        return
    refuses = consent_of(history.home).refuses
    failures = [
        each for each in history.memory.failures(LEAST_WEIGHT) if not refuses("", each.project, each.cwd, each.time)
    ]
    said = history.diagnoses.of(each.tool_use_id for each in failures)
    content = build(failures, said, history.memory.features, history.memory.folders(), _answered(history))
    files.write_bytes(memory_index_file(history.home), content)
    with history.transaction():
        history.memory.made(_stamp(history.home))


def _answered(history: History) -> set[str]:
    """Returns the failed calls of mistakes that a lesson was made of which acts before the call.

    A mistake that was merged into it may meet it at the error only.
    """
    try:
        lessons = lesson_file.read(history.home).lessons()
    except DamagedFile:  # memory goes on without it
        return set()
    acting = [each for each in lessons if each.stage == "active" and has_any(each.triggers, BEFORE_A_CALL)]
    names = {name for each in acting for name in each.fingerprints[:1]}
    if not names:
        return set()
    return {
        row.tool_use_id
        for _, rows in mistakes_of(history.episodes.all())
        if not names.isdisjoint(fingerprint("fix-", *mistake_key(row)) for row in rows)
        for row in rows
    }


def is_current(history: History) -> bool:
    """Whether the index is the one that was made of what the history holds."""
    return history.memory.is_made(_stamp(history.home))


def _stamp(home: str) -> str:
    try:
        status = os.stat(memory_index_file(home))
    except OSError:
        return "missing"
    return f"{memory_index.MAGIC.decode()}, {status.st_size} bytes, {status.st_mtime_ns}, {consent_of(home).name}"


def build(
    failures: Sequence[FailedCall],
    diagnoses: Mapping[str, Diagnosis],
    calls: Callable[[], Iterable[_Counted]],
    folders: Iterable[tuple[str, str]],
    answered: Collection[str] = (),
) -> bytes:
    """Returns the content of the index; the failures are in order of time.

    `calls` yields the counted calls, and is read twice. `answered` are failed calls that nobody is reminded of before
    a call: a lesson acts there.
    """
    remembered = [_remembered(each, diagnoses) for each in failures]
    projects = {name: number for number, name in enumerate(sorted({each.project for each in failures}), start=1)}
    counts = _counts(remembered, projects, calls())
    suspects = [
        _suspects(each, projects[each.call.project], counts) if each.call.tool_use_id not in answered else ([], [])
        for each in remembered
    ]
    suspects = _tested(remembered, suspects, projects, calls())
    rarities, lengths = _rarities(remembered)
    rows: dict[int, list[int]] = {}
    for number, (own, anywhere) in enumerate(suspects):
        project = projects[remembered[number].call.project]
        for place, names in ((project, own), (0, anywhere)):
            for feature in names:
                row = rows.setdefault(memory_index.key_of(feature, place), [*counts[place][key_of(feature)]])
                row.append(number)
    for word, (rarity, numbers) in rarities.items():
        rows[memory_index.key_of(f"word {word}")] = [int(1000 * rarity), *numbers]
    for folder, name in folders:
        if name in projects:
            rows[memory_index.key_of(f"folder {_slashed(folder)}")] = [projects[name]]
    records = _records(remembered, projects, suspects, lengths)
    return _file(rows, records, {"unknown": int(1000 * _rarity(0, len(remembered)))})


def _remembered(call: FailedCall, diagnoses: Mapping[str, Diagnosis]) -> _Remembered:
    arguments = _decoded(call.arguments)
    features = features_of(call.tool, arguments, call.command or None, call.cwd)
    worked = features_of(call.worked_tool, _decoded(call.worked_arguments), call.worked_command or None, call.cwd)
    named = set(names_in(call.error))
    # A name of quoted code is a feature of many calls; it is a suspect only where the error names it.
    kept = frozenset(
        sys.intern(each) for each in features if family_of(each) != "name" or each.rpartition(" ")[2] in named
    )
    words = frozenset(map(sys.intern, error_words(call.error, call.exit_code, _program(call))))
    said = diagnoses.get(call.tool_use_id)
    return _Remembered(call, kept, kept & worked, words, said.text if said else "")


def _counts(
    remembered: Sequence[_Remembered], projects: Mapping[str, int], counted: Iterable[_Counted]
) -> "list[defaultdict[int, list[int]]]":
    """Returns for each project, and for the machine as number 0, how often each feature failed and worked."""
    wanted: list[set[int]] = [set() for _ in range(len(projects) + 1)]
    for each in remembered:
        keys = {key_of(feature) for feature in each.features}
        wanted[projects[each.call.project]] |= keys
        wanted[0] |= keys
    counts: list[defaultdict[int, list[int]]] = [defaultdict(lambda: [0, 0]) for _ in wanted]
    for name, failed, keys_of_call in counted:
        for number in {projects.get(name, 0), 0}:
            for key in wanted[number].intersection(keys_of_call):
                counts[number][key][not failed] += 1
    return counts


def _suspects(each: _Remembered, project: int, counts: "Sequence[defaultdict[int, list[int]]]") -> _Suspects:
    """Returns the features that failed at least as often as they worked: in the project, and on the machine."""

    def is_suspect(feature: str, place: int) -> bool:
        failed, worked = counts[place][key_of(feature)]
        return failed > 0 and failed / (failed + worked) >= LEAST_RATE

    left = each.features - each.exonerated
    own = sorted(feature for feature in left if is_suspect(feature, project))
    anywhere = [feature for feature in left if family_of(feature) not in _LOCAL and is_suspect(feature, 0)]
    return own, sorted(anywhere)


def _tested(
    remembered: Sequence[_Remembered],
    suspects: Sequence[_Suspects],
    projects: Mapping[str, int],
    calls: Iterable[_Counted],
) -> list[_Suspects]:
    """Returns the suspects of each failure; none where more calls worked that have enough of them than failed."""
    having: list[dict[int, list[int]]] = [{} for _ in range(len(projects) + 1)]
    for number, each in enumerate(remembered):
        for place, names in zip((projects[each.call.project], 0), suspects[number], strict=True):
            for feature in names:
                having[place].setdefault(key_of(feature), []).append(number)
    balance: Counter[tuple[int, bool]] = Counter()
    for project, failed, keys in calls:
        for place in {projects.get(project, 0), 0}:
            shared = Counter(number for key in having[place].keys() & keys for number in having[place][key])
            for number, count in shared.items():
                if count >= LEAST_SHARE * len(suspects[number][not place]):
                    balance[number, not place] += 1 if failed else -1
    return [
        (own if balance[number, False] >= 0 else [], anywhere if balance[number, True] >= 0 else [])
        for number, (own, anywhere) in enumerate(suspects)
    ]


def _rarities(remembered: Sequence[_Remembered]) -> tuple[dict[str, tuple[float, list[int]]], list[float]]:
    """Returns each word's rarity and the failures that have it, and the length of each failure's vector."""
    having: dict[str, list[int]] = {}
    for number, each in enumerate(remembered):
        for word in sorted(each.words):
            having.setdefault(word, []).append(number)
    found: dict[str, tuple[float, list[int]]] = {}
    squares = [0.0] * len(remembered)
    for word, numbers in having.items():
        rarity = _rarity(len(numbers), len(remembered))
        for number in numbers:
            squares[number] += rarity * rarity
        is_common = len(numbers) > max(_MOST_FAILURES, len(remembered) / _COMMON)
        found[word] = rarity, [] if is_common else numbers[-_MOST_FAILURES:]
    return found, [math.sqrt(square) for square in squares]


def _rarity(having: int, of: int) -> float:
    return math.log((of + 1.5) / (having + 0.5))


def _records(
    remembered: Sequence[_Remembered],
    projects: Mapping[str, int],
    suspects: Sequence[_Suspects],
    lengths: Sequence[float],
) -> list[tuple[Any, ...]]:
    """Returns what recall quotes, in the order of `recall.Failure`."""
    general = _general_words(remembered)
    alike: dict[tuple[str, str, str], list[FailedCall]] = {}
    for each in remembered:
        alike.setdefault(_mistake(each.call), []).append(each.call)
    records = []
    for each, (own, anywhere), length in zip(remembered, suspects, lengths, strict=True):
        call, same = each.call, alike[_mistake(each.call)]
        others = [other.tool_use_id for other in reversed(same) if other is not call][:_MOST_OTHERS]
        line = telling_line(call.error) or (f"exit code {call.exit_code}, no output" if call.exit_code else "no output")
        failed = call_text(call.tool, call.command, _decoded(call.arguments))
        worked = call_text(call.worked_tool, call.worked_command, _decoded(call.worked_arguments))
        # Nobody is told of a call that is no retry, or that skips a check or deletes.
        fix = worked if call.is_told else ""
        pairs = enumerate(zip(failed, fix, strict=False))
        shared = next((place for place, (one, other) in pairs if one != other), min(len(failed), len(fix)))
        fields: dict[str, object] = {
            "command": _quotable(failed, shared),
            "count": len(same),
            "error": cut(line, _LONGEST_ERROR),
            "fix": memory_index.key_of(worked) if worked else 0,
            "general": (_outline(call.command, call.tool, call.program),
                        _outline(call.worked_command, call.worked_tool, call.program) if fix else "",
                        cut(_general_error(call.signature, general), _LONGEST_ERROR)),
            "heads": _heads(call),
            "identifiers": [call.tool_use_id, *others],
            "key": "\n".join(_mistake(call)),
            "last": same[-1].time[:10],
            "length": length,
            "project": projects[call.project],
            "said": _whole(each.said),
            "suspects": len(own),
            "suspects_anywhere": len(anywhere),
            "weight": call.weight,
            "worked": _quotable(fix, shared),
        }  # fmt: skip
        records.append(tuple(fields[name] for name in sorted(fields)))
    return records


def _heads(call: FailedCall) -> tuple[str, ...]:
    """Returns the features for program and sub-command of each command that the error names."""
    commands = [heads_of(each.words) for each in commands_of(call.command) if each.words]
    named = [heads[:2] for heads in commands if is_named(heads[0], call.error)]
    return tuple(f"words:{' '.join(heads)}" if len(heads) > 1 else f"program:{heads[0]}" for heads in named)


def _quotable(text: str, same: int) -> str:
    """Returns a call from shortly before the place where the failed call and the one that worked differ."""
    start = max(0, same - _BEFORE_DIFFERENCE) if len(text) > _SHORT_CALL else 0
    word = text.find(" ", start, same) + 1 or start
    return cut(f"…{text[word:]}" if start else text, LONGEST_CALL)


def _whole(said: str) -> str:
    """Returns what the agent wrote if it is short: the part that is cut off may say the opposite."""
    line = " ".join(said.split())
    return line if len(line) <= _LONGEST_SAID else ""


def _mistake(call: FailedCall) -> tuple[str, str, str]:
    return call.project, call.program, call.signature


def _outline(command: str, tool: str, blamed: str) -> str:
    """Returns program and options of the command that is to blame: all that another project may read of a call."""
    commands = {program_of(each.words[0][0]): each for each in reversed(commands_of(command)) if each.words}
    if not commands:
        return tool
    program = blamed if blamed in commands else next(iter(commands))
    words = [word for word, quoted in commands[program].words[1:] if not quoted]
    return " ".join([program, *(found[0] for word in words if (found := _OPTION.match(word)))])


def _general_words(remembered: Sequence[_Remembered]) -> frozenset[str]:
    """Returns words that programs of many repositories use, and those that errors of two projects here have."""
    projects: dict[str, str | None] = {name.removeprefix(WORD): None for name in weights().weights}
    for each in remembered:
        for word in each.words:
            if projects.setdefault(word, each.call.project) != each.call.project:
                projects[word] = None
    return frozenset(word for word, project in projects.items() if project is None)


def _general_error(signature: str, general: frozenset[str]) -> str:
    """Returns the normal form of an error without the words that only its project uses: names of people and things."""
    shown: list[str] = []
    for text in signature.split():
        is_general = all(word in general for word in words_in(_PLACEHOLDER.sub("", text)) if len(word) > 1)
        if is_general or shown[-1:] != ["…"]:
            shown.append(text if is_general else "…")
    return " ".join(shown) if any(word != "…" for word in shown) else ""


def _program(call: FailedCall) -> str:
    commands = [each for each in commands_of(call.command) if each.words]
    return program_of(commands[0].words[0][0]) if commands else call.tool if not call.command else ""


def _decoded(arguments: str) -> object:
    try:
        return json.loads(arguments) if arguments else None
    except ValueError:
        return None


def _slashed(folder: str) -> str:
    return folder.replace("\\", "/").rstrip("/")


def _file(rows: Mapping[int, Sequence[int]], records: Sequence[tuple[Any, ...]], head: dict[str, object]) -> bytes:
    """Lays out the file that `store/memory_index.py` reads."""
    body = bytearray()
    slots = 2 * len(rows) + 1
    keys, offsets = array("Q", bytes(8 * slots)), array("I", bytes(4 * slots))
    for key in sorted(rows):
        slot = memory_index.slot_of(key, slots)
        while keys[slot]:
            slot = (slot + 1) % slots
        keys[slot], offsets[slot] = key, len(body) // 4
        body += _block(array("I", [*rows[key][:2], *rows[key][2:][-_MOST_FAILURES:]]).tobytes())
    places = array("I")
    for record in records:
        places.append(len(body) // 4)
        body += _block(marshal.dumps(record))
    head = {**head, "byteorder": sys.byteorder, "slots": slots, "directory": len(body), "failures": len(records)}
    encoded = marshal.dumps(head)
    prefix = memory_index.MAGIC + len(encoded).to_bytes(8, "little")
    prefix += checksum(encoded).to_bytes(8, "little")
    stored = bytearray(prefix + encoded)
    for key, offset in zip(keys, offsets, strict=True):
        stored += key.to_bytes(8, sys.byteorder) + offset.to_bytes(4, sys.byteorder)
        stored += memory_index.slot_check(key, offset).to_bytes(4, sys.byteorder)
    return bytes(stored + body + places.tobytes())


def _block(data: bytes) -> bytes:
    head = len(data).to_bytes(4, sys.byteorder) + checksum(data).to_bytes(4, sys.byteorder)
    return head + data + bytes(-len(data) % 4)
