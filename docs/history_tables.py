"""Prints docs/HISTORY.md, the tables of history.db for people who query them, from the migrations themselves."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from lessons.store.history.migrations import STEPS

INTRODUCTION = """\
# The tables of history.db

`history.db` in the data home is an SQLite file that you may query: open it read-only, for example with
`sqlite3 "file:$LESSONS_HOME/history.db?mode=ro"`. Texts are stored without secrets. Times are UTC, ISO 8601. Tables and
columns are added, never renamed; `PRAGMA user_version` is {version} today. This page is generated (`make docs`).

For example, what failed most often, by program:

    SELECT program, subcommand, count(*) FROM calls WHERE outcome = 'failed' GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 10;

And which sessions used the most tokens:

    SELECT project, title, output_tokens, input_tokens + cache_read_tokens + cache_write_tokens AS input
    FROM session_tokens JOIN sessions USING (agent, session_id) ORDER BY output_tokens DESC LIMIT 10;
"""
# Comments of migrations in plainer words: a published migration is never changed.
_PLAIN_WORDS = Path(__file__).with_name("history-words.json")
_TABLE = re.compile(r"((?:^--[^\n]*\n)*)^CREATE (?:VIRTUAL TABLE|TABLE|VIEW) (\w+)(.*?);$", re.MULTILINE | re.DOTALL)
_COLUMN = re.compile(r"^ {4}([a-z_]+) ([A-Z]+)([^\n-]*?),?(?:\s*-- ?(.*))?$", re.MULTILINE)
_ADDED = re.compile(r"^ALTER TABLE (\w+) ADD COLUMN ([a-z_]+) ([A-Z]+)[^;]*;(?:\s*-- ?(.*))?$", re.MULTILINE)


def document() -> str:
    tables: dict[str, str] = {}
    for step in STEPS:
        tables |= _tables(step)  # a later step may have made a table anew
    text = "\n".join([INTRODUCTION.format(version=len(STEPS)), *tables.values()])
    for words, plain_words in json.loads(_PLAIN_WORDS.read_text(encoding="utf-8")).items():
        text = text.replace(words, plain_words)
    return text


def _tables(step: str) -> dict[str, str]:
    """Maps the name of each table to its section."""
    return {name: "\n".join(_section(comment, name, body)) for comment, name, body in _TABLE.findall(step)}


def _section(comment: str, name: str, body: str) -> Iterator[str]:
    yield f"## {name}\n"
    if comment:
        yield " ".join(line.removeprefix("--").strip() for line in comment.strip().splitlines()) + "\n"
    columns = [(column, kind, said) for column, kind, _, said in _COLUMN.findall(body)]
    if not columns:
        yield f"`{' '.join(body.split())}`\n"
    columns += [(column, kind, said) for table, column, kind, said in _added() if table == name]
    if columns:
        yield "| column | type | meaning |\n| --- | --- | --- |"
        yield "\n".join(f"| {column} | {kind} | {said} |" for column, kind, said in columns) + "\n"


def _added() -> list[tuple[str, str, str, str]]:
    """Table, column, type and meaning of the columns that later steps have added."""
    return [found for step in STEPS for found in _ADDED.findall(step)]


if __name__ == "__main__":
    print(document(), end="")
