"""One candidate for each rule that people gave: tier 3."""

import sqlite3
from collections.abc import Sequence

import msgspec

from lessons.capture.corrections.words import same_rule
from lessons.capture.grouping import fingerprint, grouped
from lessons.capture.mistake_candidates import Made
from lessons.store.history import episodes as found
from lessons.store.history.episodes import Said
from lessons.store.history.mined import Mined

_ALIKE = 0.5
_LONGEST_SUMMARY = 120
_HIGHEST = 0.9


def candidates(connection: sqlite3.Connection, changed: bool, known: dict[str, set[str]]) -> Made:
    """There are few: where one came or went, all are made anew."""
    if not changed:
        return Made([], set(known))
    groups = grouped(found.every_correction(connection), lambda row: ("", row.rule), same_rule, _ALIKE)
    made = [_candidate(fingerprint("say-", rule), rows, found.tools(connection, rows)) for (_, rule), rows in groups]
    return Made(made, {candidate.fingerprint for candidate in made})


def _candidate(name: str, rows: Sequence[Said], tools: Sequence[str]) -> Mined:
    surest = max(rows, key=lambda row: row.sureness)
    rule = surest.rule
    document = {
        "tool": tools[0] if tools else "",
        "problem": f"A person corrected the agent: “{rule}”",
        "solution": f"Keep to what was said: “{rule}”",
        "summary": rule if len(rule) <= _LONGEST_SUMMARY else rule[:_LONGEST_SUMMARY].rpartition(" ")[0],
        "trigger": "",
        "quotes": [{"failed": "", "error": row.rule, "worked": ""} for row in rows[:3]],
        "userCorrection": True,
    }
    prompts = [(row.key, row.tool_use_id) for row in rows]
    confidence = round(min(_HIGHEST, surest.sureness), 2)
    return Mined(name, "correction", msgspec.json.encode(document).decode(), confidence, (), prompts)
