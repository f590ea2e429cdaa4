"""The summary of `lessons init` and the next steps."""

from collections.abc import Callable
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from lessons.capture.coverage import Coverage
from lessons.cli import folded, render
from lessons.cli.candidate_text import counts_of, many
from lessons.cli.init.agents import Agent
from lessons.cli.init.steps import Hook, Made
from lessons.cli.review.summary import try_line
from lessons.promote.first_lessons import FirstLesson

PROTOCOL = (
    "At the start of a session the agent is asked to report its mistakes as `#lesson` tags in its answers. They become"
    " candidates, and nothing is used before you have reviewed it."
)


class Summary(NamedTuple):
    """What is printed at the end."""

    agent: str
    agents: list[Agent]
    hook: Hook
    coverage: Coverage | None
    made: Made
    protocol: bool
    headline: Callable[[], str] = str  # asked for last: it takes time

    def document(self) -> dict[str, object]:
        return {
            "agents": [each._asdict() for each in self.agents],
            "hook": self.hook._asdict(),
            "scan": self.coverage.document() if self.coverage else None,
            "lessons": [_document(each) for each in self.made.begun],
            "before": self.made.before,
            "waiting": self.made.waiting,
            "lessonProtocol": self.protocol,
            "next": self._next(),
            "headline": self.headline(),
        }

    def print(self) -> None:
        for line in self._made():
            tell(line)
        for line in self._next():
            render.say(line)  # whole: to be copied
        if self.hook.installed and self.protocol:
            tell(PROTOCOL)
            render.say("Turn that off:   lessons config set lessonProtocol false")
        if said := self.headline():
            tell("")
            tell(said)

    def _made(self) -> list[str]:
        begun, before = self.made.begun, self.made.before
        lines = ["", f"{many(len(begun), 'new lesson')}:"] if begun else [""]
        for each in begun:
            lines.append(f"  {each.record['slug']} ({each.record.get('stage', 'active')})")
            lines.append(f"    {counts_of(each.case.candidate)}")
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
        return [*lines, *filter(None, [self.made.sentence])]

    def _next(self) -> list[str]:
        """The next steps, one line each."""
        lines = []
        shown = [(line, each) for each in self.made.begun if (line := try_line(each.case))]
        if shown:
            line, each = min(shown, key=lambda pair: len(pair[0]))
            lines.append(f"See one fire:    {line}")
            if each.record.get("stage") == "shadow":
                lines.append(f"Activate it:     lessons edit {each.record['slug']} --stage active")
        if not self.hook.installed:
            lines.append(f"Add the hook:    lessons install --agent {self.agent}")
        if self.made.waiting:
            lines.append(f"Decide the rest: lessons review --all   ({many(self.made.waiting, 'candidate')} left)")
        if self.coverage is not None and not self.coverage.files.found:
            lines.append("No transcripts found. Give their folder with --path.")
        return lines


def tell(text: str) -> None:
    """Print a sentence, folded between words on a terminal, with the indent of its start."""
    if margin := len(text) - len(text.lstrip()):
        folded.put(text, margin)
    else:
        Console(highlight=False, soft_wrap=not render.is_terminal()).print(Text(render.printable(text)))


def _document(begun: FirstLesson) -> dict[str, object]:
    candidate = begun.case.candidate
    return {
        **begun.record,
        "fingerprint": candidate.fingerprint,
        "seen": counts_of(candidate),
        "history": begun.history,
        "try": try_line(begun.case),
    }
