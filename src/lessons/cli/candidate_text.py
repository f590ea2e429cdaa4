"""The words about a candidate on a terminal or in a pipe."""

import os
from collections.abc import Mapping

from lessons.candidate import REVIEW
from lessons.cli import render
from lessons.cli.render import many, one_line
from lessons.lesson_fields import FIRING
from lessons.model import Scope
from lessons.plain import quoted
from lessons.promote.candidate import Candidate, seen_of
from lessons.store.history.episodes import Diagnosis

NONE_LEFT = (
    "No candidates: nothing in your history waits for a decision. `lessons scan` reads newer transcripts,"
    " `lessons add --starter` imports common lessons."
)
_LONGEST_QUOTATION = 400
_SESSION_SHOWN = 8


def scope_words(scope: Scope) -> str:
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


def note_hidden(hidden: int, is_empty: bool = False) -> None:
    """Says that weaker candidates are hidden, or that there are none at all."""
    if hidden:
        render.note(f"{weaker(hidden)}: add --all.")
    elif is_empty:
        render.note(NONE_LEFT)


def counts_of(candidate: Candidate, *others: Candidate, detailed: bool = False) -> str:
    """Returns `3× in 2 sessions, 1 project, 4 minutes lost` including near duplicates; the source of an import.

    With details it names projects and days.
    """
    seen = seen_of([candidate, *others])
    if not seen.times and candidate.source and not detailed:
        return f"from {one_line(os.path.basename(candidate.source))}"
    if not seen.times and detailed:
        return "not in your history yet"
    parts = [f"{seen.times}× in {many(seen.sessions, 'pull request' if candidate.kind == REVIEW else 'session')}"]
    if seen.project_count:
        names = ", ".join([*map(one_line, seen.projects[:3]), *["…"] * (seen.project_count > 3)])
        parts.append(many(seen.project_count, "project") + (f" ({names})" if detailed else ""))
    if seen.minutes_lost >= 1:
        parts.append(f"{many(round(seen.minutes_lost), 'minute')} lost")
    if detailed and (days := dict.fromkeys(time[:10] for time in (seen.first, seen.last) if time)):
        parts.append(" to ".join(days))
    return ", ".join(parts)


def trigger_words(proposed: Mapping[str, object] | None) -> str:
    """Returns the trigger in a few words; path patterns come after the content patterns that they restrict."""

    def texts(name: str) -> list[str]:
        value = (proposed or {}).get(name)
        return [*map(str, value)] if isinstance(value, list) else []

    found = {field.looks_at: texts(field.name) for field in FIRING}
    files = found.pop("path") if found["content"] else []
    if files:
        found["content"][-1] += f" in {' or '.join(files)}"
    words = " or ".join(pattern for each in found.values() for pattern in each) or ", ".join(texts("toolNames"))
    words = words or ("a note when a session starts" if (proposed or {}).get("sessionStart") else "")
    unless = texts("unless")
    return f"{words} unless {' or '.join(unless)}" if unless and words else words


def quotation(diagnosis: Diagnosis) -> str:
    """`“The flag is --name-only.” (claude-code after the failed call, session 1f2e3d4c, 2026-09-01)`."""
    session = f"session {diagnosis.session_id[:_SESSION_SHOWN]}"
    origin = [f"{diagnosis.agent} after the failed call", session, *filter(None, [diagnosis.time[:10]])]
    return f"{quoted(diagnosis.text, _LONGEST_QUOTATION)} ({', '.join(origin)})"
