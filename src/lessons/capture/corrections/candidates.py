"""One candidate of tier 3 for each rule that people gave."""

from collections.abc import Sequence

from lessons.candidate import CORRECTION, CandidateDocument, Quote
from lessons.capture.corrections.words import same_rule
from lessons.capture.grouping import fingerprint, grouped
from lessons.capture.mistake_candidates import Made
from lessons.store.history.candidates import CandidateRow
from lessons.store.history.episodes import CorrectionRow
from lessons.store.history.history import History

_ALIKE = 0.5
_LONGEST_SUMMARY = 120
_HIGHEST = 0.9
_KEYS = ("tool", "problem", "solution", "summary", "trigger", "quotes", "userCorrection")


def candidates(history: History, changed: bool) -> Made:
    """Rebuilds all candidates if one was added or removed: there are few."""
    if not changed:
        return Made([], set(), {})
    groups = grouped(history.episodes.corrections(), lambda row: ("", row.rule), same_rule, _ALIKE)
    made = [
        _candidate(fingerprint("say-", rule), rows, history.episodes.corrected_tools(rows))
        for (_, rule), rows in groups
    ]
    known = history.candidates.evidence(CORRECTION)
    return Made(made, {candidate.fingerprint for candidate in made}, known)


def _candidate(name: str, rows: Sequence[CorrectionRow], tools: Sequence[str]) -> CandidateRow:
    surest = max(rows, key=lambda row: row.sureness)
    rule = surest.rule
    document = CandidateDocument(
        tool=tools[0] if tools else "",
        problem=f"A person corrected the agent: “{rule}”",
        solution=f"Keep to what was said: “{rule}”",
        summary=rule if len(rule) <= _LONGEST_SUMMARY else rule[:_LONGEST_SUMMARY].rpartition(" ")[0],
        quotes=[Quote(error=row.rule) for row in rows[:3]],
        user_correction=True,
    )
    prompts = [(row.key, row.tool_use_id) for row in rows]
    confidence = round(min(_HIGHEST, surest.sureness), 2)
    return CandidateRow(name, CORRECTION, "correction", document.text(*_KEYS), confidence, (), prompts)
