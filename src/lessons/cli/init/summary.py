"""Prints the summary of `lessons init` and the next steps."""

import shlex
from collections.abc import Callable
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from lessons.agents.found import FoundAgent
from lessons.capture.coverage import Coverage
from lessons.cli import folded, render
from lessons.cli.candidate_text import counts_of, many
from lessons.cli.init.hooks import Hook
from lessons.cli.init.starter import headline
from lessons.cli.init.steps import Made
from lessons.cli.main import VERBS
from lessons.cli.review.summary import try_line
from lessons.promote.first_lessons import BEST, FirstLesson
from lessons.promote.starter_matches import documents

PROTOCOL = (
    "At the start of a session the agent is asked to report its mistakes as `#lesson` tags in its answers. They become"
    " candidates, and nothing is used before you have reviewed it."
)


class Summary(NamedTuple):
    """What is printed at the end."""

    agents: list[FoundAgent]
    hooks: list[Hook]
    coverage: Coverage | None
    made: Made
    protocol: bool
    headline: Callable[[], str] = str  # called last: it takes time

    def document(self) -> dict[str, object]:
        return {
            "agents": [
                {"name": each.title, "folders": each.folders, "supported": bool(each.agent)} for each in self.agents
            ],
            "hook": self.hooks[0]._asdict(),
            "hooks": [each._asdict() for each in self.hooks],
            "scan": self.coverage.document() if self.coverage else None,
            "starter": {
                "pack": self.made.starter.pack,
                "failedCalls": self.made.starter.failed_calls,
                "matches": documents(self.made.starter.found),
            },
            "lessons": [_document(each) for each in self.made.begun],
            "before": self.made.before,
            "waiting": self.made.waiting,
            "tend": self.made.to_tend,
            "lessonProtocol": self.protocol,
            "next": self._next(),
            "headline": self.headline(),
        }

    def print(self) -> None:
        for line in self._made():
            tell(line)
        for line in self._next():
            render.say(line)  # not folded: to be copied
        if any(each.installed for each in self.hooks) and self.protocol:
            tell(PROTOCOL)
            render.say("Turn that off:   lessons config set lessonProtocol false")
        if said := self.headline():
            tell("")
            tell(said)

    def _made(self) -> list[str]:
        begun, before = self.made.begun, self.made.before
        lines = ["", f"{many(len(begun), 'new lesson')}:"] if begun else [""]
        # The user has seen what each of many starter lessons would have caught, so their names are enough.
        named = [each for each in begun if each.case is None and len(begun) > BEST]
        if named:
            names = ", ".join(str(each.record["slug"]) for each in named)
            lines.append(f"  {many(len(named), 'starter lesson')}: {names}")
        for each in begun:
            if each not in named:
                lines.append(f"  {each.record['slug']} ({each.record.get('stage', 'active')})")
                lines.append(f"    {_evidence(each)}")
                lines += [f"    {each.history}"] if each.history else []
        if begun:
            lines.append("")
        if before:
            lines.append(
                f"{many(len(before), 'lesson')} from earlier runs {'is' if len(before) == 1 else 'are'} still in use."
            )
        number = len(begun) + len(before)
        if not number:
            lines.append("No lesson was created.")
        elif begun and all(each.record.get("stage") == "shadow" for each in begun):
            lines.append("In shadow, matches are logged and the agent sees nothing.")
        return [*lines, *self._starter(), *filter(None, [self.made.sentence])]

    def _starter(self) -> list[str]:
        """Returns how many starter lessons match, if nobody was asked about them."""
        found = self.made.starter.found
        is_taken = any(each.case is None for each in self.made.begun)
        return [f"{headline(self.made.starter)}."] if found and not is_taken else []

    def _next(self) -> list[str]:
        """Returns the next steps, one line each."""
        lines = []
        shown = [(line, each) for each in self.made.begun if (line := _try_line(each))]
        if shown:
            line, each = min(shown, key=lambda pair: len(pair[0]))
            lines.append(f"See one fire:    {line}")
            if each.record.get("stage") == "shadow":
                lines.append(f"Activate it:     lessons edit {each.record['slug']} --stage active")
        missing = [hook.agent for hook in self.hooks if not hook.installed]
        lines += [f"Add the hook:    lessons install --agent {agent}" for agent in missing]
        if not self.made.begun and (self.made.starter.found or not self.made.before):
            lines.append("Starter lessons: lessons add --starter")
        if self.made.waiting and "refine" in VERBS:
            lines.append("Let your agent write the rest: lessons refine --all")
        if self.made.waiting:
            lines.append(f"Decide the rest: lessons review --all   ({many(self.made.waiting, 'candidate')} left)")
        if self.made.to_tend:
            from lessons.ledger.tend import waiting  # loaded only now: the first screen need not wait for it

            lines.append(f"Tend lessons:    lessons tend   ({waiting(self.made.to_tend)})")
        if self.coverage is not None and not self.coverage.files.found:
            lines.append("No transcripts found. Give their folder with --path.")
        return lines


def tell(text: str) -> None:
    """Prints a sentence, folded between words on a terminal, with the indent of its start."""
    if margin := len(text) - len(text.lstrip()):
        folded.put(text, margin)
    else:
        Console(highlight=False, soft_wrap=not render.is_terminal()).print(Text(render.printable(text)))


def _document(begun: FirstLesson) -> dict[str, object]:
    return {
        **begun.record,
        "fingerprint": begun.case.candidate.fingerprint if begun.case else None,
        "starter": begun.case is None,
        "seen": _evidence(begun),
        "history": begun.history,
        "try": _try_line(begun),
    }


def _evidence(begun: FirstLesson) -> str:
    return counts_of(begun.case.candidate, *begun.case.alike) if begun.case else "of the starter pack"


def _try_line(begun: FirstLesson) -> str:
    """Returns a `lessons try` command that shows it fire; empty if no command of the history does."""
    if begun.case:
        return try_line(begun.case)
    return f"lessons try {shlex.quote(begun.example)}" if begun.example else ""
