"""Prints docs/HISTORY.md, the tables of history.db for people who query them, from the schema itself."""

import re
from collections.abc import Iterator

from lessons.store.history.schema import SCHEMA, VERSION

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
_TABLE = re.compile(r"((?:^--[^\n]*\n)*)^CREATE (?:VIRTUAL TABLE|TABLE|VIEW) (\w+)(.*?);$", re.MULTILINE | re.DOTALL)
_COLUMN = re.compile(r"^ {4}([a-z_]+) ([A-Z]+)([^\n-]*?),?(?:\s*-- ?(.*))?$", re.MULTILINE)


def document() -> str:
    sections = ["\n".join(_section(comment, name, body)) for comment, name, body in _TABLE.findall(SCHEMA)]
    return "\n".join([INTRODUCTION.format(version=VERSION), *sections])


def _section(comment: str, name: str, body: str) -> Iterator[str]:
    yield f"## {name}\n"
    if comment:
        yield " ".join(line.removeprefix("--").strip() for line in comment.strip().splitlines()) + "\n"
    columns = [(column, kind, meaning) for column, kind, _, meaning in _COLUMN.findall(body)]
    if columns:
        yield "| column | type | meaning |\n| --- | --- | --- |"
        yield "\n".join(f"| {column} | {kind} | {meaning} |" for column, kind, meaning in columns) + "\n"
    else:
        yield f"`{' '.join(body.split())}`\n"


if __name__ == "__main__":
    print(document(), end="")
