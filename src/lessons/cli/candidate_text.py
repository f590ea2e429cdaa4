"""The lines that describe a candidate on a terminal or in a pipe."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lessons.candidate import REVIEW
from lessons.cli import render
from lessons.cli.render import many, one_line
from lessons.lesson_fields import FIRING
from lessons.plain import quoted

if TYPE_CHECKING:
    from lessons.model import Scope
    from lessons.promote.backtest import Report
    from lessons.promote.candidate import Candidate
    from lessons.promote.review_case import Answer, Answers, Pair
    from lessons.store.history.episodes import Diagnosis


COLUMNS = ("index", "kind", "times", "sessions", "projects", "minutes lost", "problem", "solution", "trigger")
NONE_LEFT = (
    "No candidates: nothing in your history waits for a decision. `lessons scan` reads newer transcripts,"
    " `lessons add --starter` imports common lessons."
)
_MARGIN = 5
_MOST_DIAGNOSES = 5


def row(candidate: "Candidate") -> tuple[object, ...]:
    """Returns the columns of one candidate for a pipe."""
    counts = (candidate.occurrence_count, candidate.session_count, candidate.project_count)
    words = (candidate.problem, candidate.solution, trigger_of(candidate))
    return (candidate.index, candidate.kind, *counts, f"{candidate.minutes_lost:g}", *words)


def draw(candidates: Sequence["Candidate"], answers: "Answers") -> None:
    """Prints each candidate for a terminal: kind and counts, the problem, what worked instead, trigger and answer."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False)
    for candidate in candidates:
        heading = Text(no_wrap=True, overflow="ellipsis")
        heading.append(f"{candidate.index:>3}  ", style="bold")
        heading.append(one_line(candidate.kind), style="cyan")
        heading.append("  " + counts_of(candidate), style="dim")
        console.print(heading)
        lines = [(candidate.problem, ""), (f"→ {candidate.solution}" if candidate.solution else "", "green")]
        lines.append((f"when {trigger_of(candidate)}" if trigger_of(candidate) else "", "dim"))
        lines.append((f"answered {answer.sentence()}" if (answer := answers.of(candidate)) else "", "yellow"))
        for words, style in lines:
            if words:
                text = Text(one_line(words), style=style)
                text.truncate(2 * (console.width - _MARGIN) - 10, overflow="ellipsis")
                console.print(Padding(text, (0, 0, 0, _MARGIN), expand=False))


class About(NamedTuple):
    """One candidate and what the history says about it."""

    candidate: "Candidate"
    pair: "Pair"
    diagnoses: Sequence["Diagnosis"]
    report: "Report | None"
    answer: "Answer | None"


def described(about: About) -> list[tuple[str, object]]:
    """Returns everything about one candidate as names and values."""
    from lessons.promote.backtest_report import sentence
    from lessons.promote.candidate import notes_on

    candidate, pair, diagnoses, report, answer = about
    rows: list[tuple[str, object]] = [
        ("candidate", f"{candidate.index} {candidate.fingerprint} ({candidate.kind})"),
        ("seen", counts_of(candidate)),
        ("problem", candidate.problem),
        ("solution", candidate.solution or "unknown"),
        ("fires", trigger_of(candidate) or candidate.no_trigger or "no trigger"),
        ("scope", scope_words(candidate.scope)),
        *([("history", sentence(report))] if report else []),
        *([("answered", answer.sentence())] if answer else []),
        ("failed", pair.failed),
        ("error", pair.error),
        ("worked", pair.worked or "no later call worked"),
    ]
    rows += [("agent", quotation(each)) for each in diagnoses[:_MOST_DIAGNOSES]]
    return rows + [("note", sentence) for sentence in notes_on(candidate)]


def scope_words(scope: "Scope") -> str:
    """Returns where a lesson would fire."""
    if scope.type == "machine":
        return "everywhere on this machine"
    return f"only in {short_path(scope.path)}" if scope.path else "in every project"


def short_path(path: str | None) -> str:
    """Replaces the home folder with ~."""
    home = os.path.expanduser("~")
    path = one_line(path or "")
    return f"~{path[len(home) :]}" if path == home or path.startswith(home + os.sep) else path


def weaker(hidden: int) -> str:
    """Returns how many candidates are not shown, and why."""
    verb = "is" if hidden == 1 else "are"
    return f"{many(hidden, 'weaker candidate')} {verb} hidden (seen in one session only)"


def headline(candidate: "Candidate") -> str:
    """Returns the kind and the problem on one line, cut to the width of a terminal."""
    return render.cut(f"  {candidate.kind}: {candidate.problem}")


def counts_of(candidate: "Candidate", *others: "Candidate") -> str:
    """Returns `3× in 2 sessions, 1 project, 4 minutes lost` including near duplicates; the source of an import."""
    from lessons.promote.candidate import seen_of

    seen = seen_of([candidate, *others])
    if not seen.times and candidate.source:
        return f"from {one_line(os.path.basename(candidate.source))}"
    parts = [f"{seen.times}× in {many(seen.sessions, unit_of(candidate))}"]
    if seen.project_count:
        parts.append(many(seen.project_count, "project"))
    if seen.minutes_lost >= 1:
        parts.append(f"{many(round(seen.minutes_lost), 'minute')} lost")
    return ", ".join(parts)


def unit_of(candidate: "Candidate") -> str:
    """Returns the unit in which the occurrences of a candidate are counted."""
    return "pull request" if candidate.kind == REVIEW else "session"


def trigger_of(candidate: "Candidate") -> str:
    """Returns the proposed trigger in a few words; empty if there is none."""
    return trigger_words(candidate.proposed_trigger or {})


def trigger_words(proposed: Mapping[str, object]) -> str:
    """Puts path patterns after the content patterns that they restrict."""
    found = {field.looks_at: [str(pattern) for pattern in _list(proposed.get(field.name))] for field in FIRING}
    files = found.pop("path") if found["content"] else []
    if files:
        found["content"][-1] += f" in {' or '.join(files)}"
    patterns = [pattern for each in found.values() for pattern in each]
    unless = [str(pattern) for pattern in _list(proposed.get("unless"))]
    words = " or ".join(patterns) or ", ".join(map(str, _list(proposed.get("toolNames"))))
    words = words or ("a note when a session starts" if proposed.get("sessionStart") else "")
    return f"{words} unless {' or '.join(unless)}" if unless and words else words


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


_LONGEST_QUOTATION = 400
_SESSION_SHOWN = 8


def quotation(diagnosis: "Diagnosis") -> str:
    """`“The flag is --name-only.” (claude-code after the failed call, session 1f2e3d4c, 2026-09-01)`."""
    session = f"session {diagnosis.session_id[:_SESSION_SHOWN]}"
    origin = [f"{diagnosis.agent} after the failed call", session, *filter(None, [diagnosis.time[:10]])]
    return f"{quoted(diagnosis.text, _LONGEST_QUOTATION)} ({', '.join(origin)})"
