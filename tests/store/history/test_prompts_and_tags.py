"""Prompts, hook contexts, tags and diagnoses are stored once, under the file that had them first."""

from itertools import permutations

from tests.store.history.history import Row, context, diagnosis, history, prompt, tag
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


def test_a_prompt_is_found_once() -> None:
    with history() as made:
        for number, row in enumerate(reversed(copies(5, "prompts"))):
            made.write(f"/{number}", row)
        made.write("/a", prompt(6, "something else"))
        assert made.found("do") == ["prompt 5"]
        assert made.found("something") == ["prompt 6"]


def test_a_replaced_file_leaves_its_rows_where_they_were() -> None:
    with history() as made:
        made.write("/a", prompt(5, position=40))
        made.replaced("/a")
        made.write("/a", prompt(5, position=1), prompt(6, position=2))
        rows = made.rows("SELECT p.key, p.position, s.generation FROM prompts p JOIN sources s ON s.id = p.source_id")
        assert sorted(rows) == [(5, 40, 0), (6, 2, 1)]
