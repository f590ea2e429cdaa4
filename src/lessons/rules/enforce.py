"""Makes a lesson of a rule: the evidence gate for a block, and the record with file, line and sentence."""

import os
import re
from typing import Literal

from lessons import config
from lessons.errors import NotFound, Refused
from lessons.model import Scope, Triggers, document_from_triggers
from lessons.promote import catalog, decide
from lessons.promote.backtest import Report, backtest
from lessons.promote.backtest_report import objections, too_broad
from lessons.promote.imports.review import first_sentence
from lessons.redact.texts import redacted
from lessons.rules.report import Row, place_in_record
from lessons.store import decisions
from lessons.store.history.history import History
from lessons.store.state_paths import root_of

Effect = Literal["hint", "stopOnce", "block"]
ENFORCED = "enforced"  # a note: the lesson was made of a rule
_PRIORITY = 6


def against(home: str, row: Row, effect: Effect) -> list[str]:
    """Returns why the history speaks against this effect; a person may override it."""
    triggers = _triggers(row)
    try:
        with History.for_reading(home) as history:
            report: Report | None = backtest(history, triggers, scope=_scope(row), block_or_stop=effect != "hint")
            calls = history.calls.count()
    except NotFound:
        report, calls = None, 0
    # That a breach succeeds does not speak for it: a hint or a stop needs a narrow trigger only.
    found = too_broad(report, calls, config.load(home).max_trigger_share)
    return [*found, *(objections("block", report) if effect == "block" else [])]


def enforce(home: str, row: Row, effect: Effect, force: bool = False) -> catalog.Stored:
    """Stores the lesson; refused without a trigger, or if the history speaks against it and nobody forces it."""
    if row.slug:
        raise Refused(f"{row.slug} enforces this rule already: `lessons edit {row.slug}` changes it.")
    reasons = against(home, row, effect)
    if reasons and not force:
        raise Refused("\n".join([*reasons, "--force overrides this (logged)."]))
    record = _record(row, effect)
    if author := decide.author():
        record = catalog.of_agent(record, author, root_of(os.getcwd()))
    stored = catalog.add_all(home, [record], typed=("summary", "solution"))[0]
    row.slug = str(stored.record["slug"])
    decisions.record(home, ENFORCED, row.slug, "; ".join(reasons))
    return stored


def _triggers(row: Row) -> Triggers:
    if row.checked.broken:
        return row.checked.broken
    if row.checked.certainty == "order":
        raise Refused("This rule is about the order of calls, which no trigger can check yet.")
    raise Refused("This rule has no shape that can be checked: `lessons learn` lets your agent propose a trigger.")


def _scope(row: Row) -> Scope:
    project = row.written.file.project
    return Scope(type="project", path=project) if project else Scope(type="global")


def _record(row: Row, effect: Effect) -> dict[str, object]:
    written, figures = row.written, row.figures
    text = redacted(written.text)
    name = os.path.basename(written.file.path)
    place = f"{name}, {written.section}" if written.section else name
    times = (
        f"{figures.broken:,} times in {figures.sessions:,} sessions" if figures.broken else "not yet in this history"
    )
    record: dict[str, object] = {
        "summary": re.sub(r"(?:\.\.\.|…)$", "", first_sentence(text)).strip(),
        "problem": f"The user wrote this rule into {redacted(place)}. It was broken {times}.",
        "solution": text,
        "triggers": document_from_triggers(_triggers(row)),
        "scope": {"type": "project", "path": written.file.project} if written.file.project else {"type": "global"},
        "priority": _PRIORITY,
        "rule": {
            "file": place_in_record(written.file, os.path.expanduser("~")),
            "line": written.line,
            "text": text,
        },
    }
    if effect == "block":
        record |= {"block": True, "blockReason": text}
    elif effect == "stopOnce":
        record["stopOnce"] = True
    return record
