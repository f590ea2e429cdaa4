"""Adds the results of the end-to-end suites to docs/agents-seen.json, and prints docs/AGENTS.md from that file."""

import json
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from lessons.agents.table import AGENTS

KEPT = Path(__file__).with_name("agents-seen.json")
NOTES = Path(__file__).parents[1] / "build" / "agents-seen.jsonl"
INTRODUCTION = """\
# What each agent supports

`make e2e` runs the real clients with a scripted model and records what each of them does with our answers. This page is
generated from these records (`make docs`). `lessons doctor` also reports what an agent does not support.
"""


class Seen(NamedTuple):
    """One behaviour that was tested with a client."""

    agent: str
    version: str
    event: str
    what: str
    honoured: bool


def kept() -> list[Seen]:
    return [Seen(**each) for each in json.loads(KEPT.read_text(encoding="utf-8"))] if KEPT.exists() else []


def noted() -> list[Seen]:
    lines = NOTES.read_text(encoding="utf-8").splitlines() if NOTES.exists() else []
    return [Seen(**json.loads(line)) for line in lines]


def merged(before: Iterable[Seen], new: Iterable[Seen]) -> list[Seen]:
    """New results replace earlier ones of the same test; a newer client replaces all results of the older one."""
    new = list(new)
    versions = {each.agent: each.version for each in new}
    found = {
        (each.agent, each.event, each.what): each
        for each in (*before, *new)
        if versions.get(each.agent, each.version) == each.version
    }
    return sorted(found.values())


def document(seen: Iterable[Seen]) -> str:
    rows = {agent: list(some) for agent, some in groupby(sorted(seen), key=lambda each: each.agent)}
    return "\n".join([INTRODUCTION, *(_section(agent, rows.get(agent, [])) for agent in AGENTS)])


def _section(agent: str, rows: list[Seen]) -> str:
    title = AGENTS[agent].title
    if rows:
        lines = [f"## {title} {rows[0].version}", "", "| event | what | supported |", "| --- | --- | --- |"]
        lines += [f"| {each.event} | {each.what} | {'yes' if each.honoured else '**no**'} |" for each in rows]
    else:
        lines = [f"## {title}", "", "No end-to-end results recorded yet."]
    limits = AGENTS[agent].limits
    return "\n".join([*lines, *(["", "Limits:", "", f"- {limits}"] if limits else []), ""])


def main() -> None:
    """Stores the results of the last runs, and prints the page."""
    found = merged(kept(), noted())
    KEPT.write_text(json.dumps([each._asdict() for each in found], indent=2) + "\n", encoding="utf-8")
    NOTES.unlink(missing_ok=True)
    print(document(found), end="")


if __name__ == "__main__":
    main()
