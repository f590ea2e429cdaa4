"""Candidates and labels in, the lines of the report out: the same ones for the same candidates."""

from collections import Counter
from collections.abc import Iterator, Sequence

from evals.corpus import Labels
from evals.corrections import Corrections
from evals.figures import figures, from_failures, is_good, judged_calls, mistakes, verdict_of
from evals.mined import Found
from evals.triggers import Trial

_CUTS = (5, 10, 20, 40)
_MOST_MISSED = 5


def curve(found: Sequence[Found], labels: Labels) -> Iterator[str]:
    """Precision and recall of the first candidates of the ranking."""
    candidates = from_failures(found)
    cuts = [cut for cut in _CUTS if cut < len(candidates)]
    yield "Over the ranking   candidates right   calls right   calls found   mistakes (mean, any)"
    for cut in [*cuts, len(candidates)]:
        at = figures(candidates[:cut], labels)
        name = f"first {cut}" if cut < len(candidates) else f"all {cut}"
        shares = f"{at.candidate_precision:>19.3f}{at.call_precision:>14.3f}{at.call_recall:>14.3f}"
        yield f"  {name:<14}{shares}{at.macro_recall:>15.3f}{at.key_recall:>7.3f}"


def by_kind(found: Sequence[Found], labels: Labels) -> Iterator[str]:
    """What each kind of candidate is worth, and how much of each kind of label was found."""
    candidates = from_failures(found)
    yield "By kind of candidate        right of candidates   lesson, maybe, noise calls"
    for kind in sorted({candidate.kind for candidate in candidates}):
        judged = [calls for each in candidates if each.kind == kind and (calls := judged_calls(each, labels))]
        verdicts = Counter(verdict_of(call, labels) for calls in judged for call in calls)
        right = f"{sum(is_good(calls, labels) for calls in judged):>3} of {len(judged):<3}"
        counts = "".join(f"{verdicts[verdict]:>6}" for verdict in ("lesson", "maybe", "noise"))
        yield f"  {kind:<26}{right:>19}   {counts}"
    yield ""
    yield "By kind of label                found of lessons"
    reached = _all_calls(found)
    lessons = [label for label in labels.values() if label.verdict == "lesson"]
    for kind in sorted({label.kind or "" for label in lessons}):
        own = [label for label in lessons if (label.kind or "") == kind]
        yield f"  {kind or '(none)':<30}{sum(label.id in reached for label in own):>4} of {len(own)}"


def by_mistake(found: Sequence[Found], labels: Labels) -> Iterator[str]:
    """Each mistake, how many of its failures were found, and the calls that were not."""
    calls = _all_calls(found)
    sizes, hits = mistakes(labels), mistakes(labels, calls)
    yield "By mistake: found of its failures, and those that were missed"
    for key in sorted(sizes, key=lambda key: (hits[key] - sizes[key], key)):
        missed = [
            label.id
            for label in labels.values()
            if label.verdict == "lesson" and (label.key or label.id) == key and label.id not in calls
        ]
        more = [f"and {len(missed) - _MOST_MISSED} more"] if len(missed) > _MOST_MISSED else []
        yield " ".join([f"  {hits[key]:>3} of {sizes[key]:<3} {key}", *missed[:_MOST_MISSED], *more])


def false_ones(found: Sequence[Found], labels: Labels) -> Iterator[str]:
    """Every candidate that should not be there, with what it rests on."""
    yield "False candidates"
    for candidate in from_failures(found):
        calls = judged_calls(candidate, labels)
        if calls and not is_good(calls, labels):
            yield f"{candidate.index:>4}  {candidate.kind}: {_short(candidate.problem)}"
            yield f"      → {_short(candidate.solution)}"
            yield from (f"      {call} {_verdict(call, labels)}" for call in calls)


def about_corrections(corrections: Corrections) -> Iterator[str]:
    verdicts = ", ".join(f"{number} {name}" for name, number in corrections.verdicts.items()) or "nothing"
    yield f"What people typed: {corrections.candidates} candidates rest on {verdicts}"


def about_triggers(trials: Sequence[Trial], found: Sequence[Found]) -> Iterator[str]:
    """What each trigger fires on; those that do not do what they should are marked."""
    yield "Triggers: fires on failures of its group, on good calls of its family"
    for trial in trials:
        mark = " " if trial.is_good else "!"
        shares = f"{trial.caught:>4} of {trial.failures:<4}{trial.hit:>6} of {trial.successes:<6}"
        yield f" {mark}{trial.candidate.index:>3} {shares} {_pattern(trial.candidate.proposed_trigger or {})}"
    reasons = Counter(candidate.no_trigger for candidate in from_failures(found) if not candidate.proposed_trigger)
    yield from (f"  none for {number}: {reason}" for reason, number in sorted(reasons.items(), key=str))


def _pattern(triggers: dict[str, object]) -> str:
    return _short(" ".join(f"{key}={value}" for key, value in triggers.items() if key not in ("toolNames", "matchOn")))


def _all_calls(found: Sequence[Found]) -> set[str]:
    return {call for candidate in from_failures(found) for call in candidate.calls}


def _verdict(call: str, labels: Labels) -> str:
    return labels[call].verdict if call in labels else "did not fail"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 150 else line[:149] + "…"
