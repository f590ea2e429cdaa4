"""Prompts, hook contexts, tags and diagnoses are stored once, under the file that had them first."""

import random
from itertools import permutations
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as some

from lessons.store.history.rows import Batch, Interrupt, ReadTally, Result, SessionRow
from tests.sizes import examples
from tests.store.history.history import (
    History,
    Place,
    Row,
    batch,
    call,
    context,
    diagnosis,
    end,
    history,
    prompt,
    result,
    segment,
    tag,
)
from tests.tables import table

SMALLEST, LARGEST = -(1 << 63), (1 << 63) - 1
TABLES = ["prompts", "hook_contexts", "tags", "diagnoses"]


def copies(key: int, table: str) -> list[Row]:
    """The original, a copy that says so, and one that does not; all of the same record."""
    if table == "prompts":
        return [prompt(key, session="s2"), prompt(key, session="s1", copied=True), prompt(key, session="s3")]
    if table == "hook_contexts":
        return [context(key, session="s2"), context(key, session="s1", copied=True), context(key, session="s3")]
    if table == "diagnoses":
        return [diagnosis(key, session="s2"), diagnosis(key, session="s1", copied=True), diagnosis(key, session="s3")]
    return [tag(key, session="s2"), tag(key, session="s1", copied=True), tag(key, session="s3")]


@table("table", TABLES)
@table("key", [SMALLEST, -1, 0, LARGEST])
def test_copies_are_one_row_in_any_order(table: str, key: int) -> None:
    for order in permutations(enumerate(copies(key, table))):
        with history() as made:
            for number, row in order:
                made.write(f"/{number}", row)
            assert made.rows(f"SELECT key, session_id FROM {table}") == [(key, "s2")]


@table("table", TABLES)
def test_copies_in_one_stretch_are_one_row(table: str) -> None:
    with history() as made:
        made.write("/a", *copies(5, table))
        assert made.rows(f"SELECT key, session_id FROM {table}") == [(5, "s2")]


def test_a_replaced_file_leaves_its_rows_where_they_were() -> None:
    with history() as made:
        made.write("/a", prompt(5, position=40))
        made.replaced("/a")
        made.write("/a", prompt(5, position=1), prompt(6, position=2))
        rows = made.rows("SELECT p.key, p.position, s.generation FROM prompts p JOIN sources s ON s.id = p.source_id")
        assert sorted(rows) == [(5, 40, 0), (6, 2, 1)]


CALLS = ["c1", "c2", "c3"]
TIMES = ["", "2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z", "2026-01-01T00:00:03Z"]
ERRORS = ["", "boom went it", "crash in line"]

sessions = some.sampled_from(["s1", "s2"])
times = some.sampled_from(TIMES)
tasks = some.sampled_from(["", "task1", "task2"])
outcomes = some.sampled_from(["ok", "failed", "refused", "interrupted", "unknown"])


class Told(NamedTuple):
    """One record of a file: the kind of row, and numbers that say the rest."""

    kind: str
    session: str
    copied: bool
    name: str
    task: str
    time: str
    outcome: str
    variant: int


# What is told of one thing meets more often when little else is told.
CALLS_ONLY = "call result start end interrupt".split()
TAGS_ONLY = ["tag", "cancel"]
REST = "prompt context title boundary damage silent".split()
THEMES = [
    (CALLS_ONLY, ["c1"]),
    (CALLS_ONLY, CALLS),
    (TAGS_ONLY, ["c1", "c2"]),
    (REST, CALLS),
    (CALLS_ONLY + TAGS_ONLY + REST, CALLS),
]


def files_about(kinds: list[str], names: list[str]) -> some.SearchStrategy["Content"]:
    kind, name = some.sampled_from(kinds), some.sampled_from(names)
    record = some.builds(Told, kind, sessions, some.booleans(), name, tasks, times, outcomes, some.integers(0, 1))
    generations = some.lists(some.lists(record, min_size=1, max_size=7), min_size=1, max_size=2)
    return some.lists(generations, min_size=1, max_size=3)


files = some.one_of(*(files_about(*theme) for theme in THEMES))
Content = list[list[list[Told]]]  # files, their generations, the records of each


def rows_of(told: Told, position: int, boundaries: int) -> list[Row]:
    """What is the same for copies of a record comes from its variant alone: never from the file it stands in."""
    place: Place = {"session": told.session, "copied": told.copied, "position": position, "time": told.time}
    key = CALLS.index(told.name) * 2 + told.variant
    match told.kind:
        case "call":
            return [call(told.name, message=f"m-{told.name}", hides_exit=told.name == "c1", **place)]
        case "result":
            return [told_result(told)]
        case "start":
            started = result(
                told.name,
                "unknown",
                uuid=f"start {told.name} {told.task}",
                task=told.task or "task1",
                session=told.session,
            )
            return [started]
        case "end":
            name = told.name if told.variant or not told.task else ""
            outcome = told.outcome if told.outcome in ("failed", "interrupted") else "ok"
            error = ERRORS[1] if outcome == "failed" else ""
            return [end(outcome, task=told.task, name=name, session=told.session, ended=told.time, error=error)]
        case "tag" | "cancel":
            mark = f"tag-{told.variant}" if told.kind == "tag" else ""
            thread = "a1" if told.name == "c3" else ""
            number = key if told.kind == "tag" else key + 100
            place["agent_id"], place["uuid"] = thread, f"u{told.variant}"
            return [tag(number, mark, confidence=0.7 + key / 10, **place)]
        case "prompt":
            return [prompt(key, f"words of {key}", **place)]
        case "context":
            return [context(key, f"note {key}", **place)]
        case "boundary":
            return [segment(boundaries + 1, position)]
    return []


def told_result(told: Told) -> Result:
    """A record's name goes with what it says: copies differ in their session alone."""
    uuid = f"{told.name}-{told.outcome}-{told.task}-{told.variant}"
    ended = TIMES[1 + (len(uuid) + told.variant) % 3]
    task = told.task if told.outcome == "unknown" else ""
    odd = told.outcome == "ok" and told.variant == 1
    error = ERRORS[1 + told.variant] if told.outcome == "failed" or odd else ""
    return result(
        told.name,
        told.outcome,
        error=error,
        ended=ended,
        uuid=uuid,
        task=task,
        session=told.session,
        suspicious=odd,
    )


def batch_of(told: list[tuple[int, Told]], boundaries: int) -> Batch:
    """The rows of some records, with the session as a whole added up as reading does it."""
    first, last = told[0][0], told[-1][0]
    made = batch([], first * 10, last * 10 + 10)
    for number, record in told:
        for row in rows_of(record, number * 10, boundaries):
            boundaries += record.kind == "boundary"
            merged = batch([row], 1)
            for name in ("calls", "results", "task_ends", "prompts", "contexts", "tags", "segments"):
                getattr(made, name).extend(getattr(merged, name))
        if record.kind == "interrupt":
            made.interrupts.append(Interrupt(record.session, f"m-{record.name}"))
        if record.kind == "damage":
            made.damaged.append((number * 10, 5))
        made.known.append(CALLS.index(record.name) * 2 + record.variant)
        meet(made, record, number)
    made.tally = ReadTally(len(told), len(made.damaged))
    return made


def meet(made: Batch, told: Told, number: int) -> None:
    project = f"/of/{told.name}"
    row = made.sessions.setdefault(told.session, SessionRow(told.session, project, told.time, told.time, "", ""))
    if (not told.time, told.time, project) < (not row.first_time, row.first_time, row.project):
        row.first_time, row.project = told.time, project
    row.last_time = max(row.last_time, told.time)
    if told.kind == "title":
        row.title, row.title_rank = f"title {told.name}", f"{number:015d} the same stem"


def stretches(told: list[Told], chance: random.Random, whole: bool) -> list[Batch]:
    rest, parts, boundaries = list(enumerate(told)), [], 0
    while rest:
        size = len(rest) if whole else chance.randint(1, len(rest))
        parts.append(batch_of(rest[:size], boundaries))
        boundaries += sum(record.kind == "boundary" for _, record in rest[:size])
        rest = rest[size:]
    return parts


def read(made: History, content: Content, seed: int, whole: bool = False) -> None:
    """All files in stretches whose ends, and whose order between the files, are left to chance."""
    chance = random.Random(seed)
    waiting = {
        f"/file{number}": [stretches(told, chance, whole) for told in generations]
        for number, generations in enumerate(content)
    }
    while waiting:
        path = chance.choice(list(waiting))
        parts = waiting[path][0]
        made.add(path, parts.pop(0))
        if not parts:
            waiting[path].pop(0)
            if waiting[path]:
                made.replaced(path)
            else:
                del waiting[path]


@settings(max_examples=examples(300), deadline=None)
@given(files, some.integers(0, 1000))
def test_any_order_and_any_stretches_give_the_same_tables(content: Content, seed: int) -> None:
    with history() as one, history() as other:
        read(one, content, seed, whole=True)
        read(other, content, seed + 1)
        expected, got = one.dump(), other.dump()
    for name, rows in expected.items():
        assert got[name] == rows, name


@settings(max_examples=examples(60), deadline=None)
@given(files, some.integers(0, 1000))
def test_reading_everything_again_changes_nothing(content: Content, seed: int) -> None:
    with history() as made:
        read(made, content, seed)
        before = made.dump()
        for number, generations in enumerate(content):
            path = f"/file{number}"
            made.product.sources.restart(made.files[path])
            made.add(path, batch_of(list(enumerate(generations[-1])), 0))
        after = made.dump()
    for name, rows in before.items():
        assert after[name] == rows, name
