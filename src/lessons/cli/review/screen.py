"""Draws one candidate with its back-test, never wider or longer than the screen."""

import os
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from lessons.candidate import CORRECTION, WRITTEN
from lessons.cli import render
from lessons.cli.candidate_text import many
from lessons.cli.diagnosis_text import quotation
from lessons.cli.review.diff import alone, diff
from lessons.lesson_fields import PATTERNS, conditions, patterns_in
from lessons.model import Lesson, Scope, Triggers
from lessons.promote.backtest import text as backtest_text
from lessons.promote.backtest.backtest import Report
from lessons.promote.publish.entry import injection_of
from lessons.promote.queue.candidate import Candidate
from lessons.promote.review.pair import Pair
from lessons.store.history.diagnoses import Diagnosis

KEYS = (
    "[p]romote  [s]top once  [b]lock  s[h]adow: try it silently  [e]dit",
    "s[k]ip  [r]eject  [m]erge  [u]ndo  [q]uit  [?]",
)
_LABEL_WIDTH = 9
_MATCHED_ON = {"invocation": "at the start of a command", "script": "in code for an interpreter"}
_FEWEST_ROWS = 18
_BAR_WIDTH = 24
_AIR = (7, 9, 12)  # before the trigger, the words and the notes
# What it would have caught, what else failed, what it would have disturbed.
_SIGNS = dict(zip(backtest_text.SIGNS, ("green", "yellow", "red"), strict=False))
_TITLES = {
    "wrong-flag": "a wrong option",
    "wrong-command": "a wrong command",
    "missing-tool": "a missing program",
    "wrong-path": "a wrong path",
    "quoting": "wrong quoting",
    "order-of-steps": "a missing step",
    "wrong-arguments": "wrong arguments",
    "other-tool": "the wrong tool",
    "telling-error": "the error names the cause",
    "tag": "a lesson the agent wrote down",
    "correction": "a correction by a person",
    "import": "a lesson from elsewhere",
}


class View(NamedTuple):
    """What a screen shows."""

    place: str
    candidate: Candidate
    pair: Pair
    triggers: Triggers | None
    scope: Scope
    words: Lesson
    report: Report | None
    said: list[tuple[str, str]]  # style, sentence: the result of the last key
    notes: list[tuple[str, str]]  # style, sentence: about this candidate
    diagnosis: Diagnosis | None = None


class Block(NamedTuple):
    """Lines that belong together; where there is no room for all, the first `least` stay."""

    lines: list[Text]
    least: int


def draw(view: View) -> None:
    console = Console(highlight=False)
    width = max(40, console.width)
    # The line of the question, and one that shows that nothing was cut above.
    for line in _fit(_blocks(view, width - 1), max(_FEWEST_ROWS, console.height) - len(KEYS) - 1):
        console.print(line, no_wrap=True, overflow="ellipsis", crop=True)
    for keys in KEYS[:-1]:
        console.print(Text(keys, style="bold"))
    console.print(Text(KEYS[-1] + "  > ", style="bold"), end="")


def _blocks(view: View, width: int) -> list[Block]:
    candidate = view.candidate
    title = _TITLES.get(candidate.kind, _one_line(candidate.kind))
    worded = candidate.worded
    title += f", worded by {_one_line(worded.by)}" if worded and worded.worth_a_lesson else ""
    heading = Text().append(f"── {view.place} ── {title} ", style="bold cyan")
    heading.append("─" * max(0, width - heading.cell_len), style="cyan")
    summary, problem, fix = _words(view.words)
    return [
        Block(_noted(view.said, width), 99),
        Block([heading], 1),
        *_what(view, width),
        Block(_diagnosis(view.diagnosis, width), 1),
        Block(_labelled("seen", Text(_seen(candidate)), width), 1),
        Block(_labelled("fires", _trigger(view, width), width), 2),
        Block(_history(view.report, width), 2),
        Block([Text("the agent would read:", style="bold"), *_indented(summary, width)], 2),
        Block(_indented(problem, width), 0),
        Block(_indented(fix, width), 1),
        Block(_noted(view.notes, width), 99),
    ]


def _what(view: View, width: int) -> list[Block]:
    """Three blocks of what happened: a failure and its fix, a person's words about an action, or the agent's own."""
    pair, room = view.pair, 2 * (width - _LABEL_WIDTH) - 2
    error = Text(_one_line(pair.error), style="dim")
    if view.candidate.tier == CORRECTION:
        said = _labelled("said", Text(_one_line(pair.error), style="bold"), width)
        return [Block(_labelled("after", alone(pair.failed, room), width), 1), Block(said, 1), Block([], 0)]
    if view.candidate.tier == WRITTEN:
        session = _one_line("".join(view.candidate.source_session_ids[-1:]))
        origin = f"by the agent in session {session}; something it read may have prompted it"
        origin = f"in {short_path(view.candidate.source)}" if view.candidate.source else origin
        about = _labelled("about", alone(pair.failed, room), width) if pair.failed else []
        return [Block(about, 1), Block([], 0), Block(_labelled("written", Text(origin), width), 1)]
    failed, worked = _commands(pair, room)
    return [
        Block(_labelled("failed", failed, width), 1),
        Block(_labelled("", error, width, most=2), 1),
        Block(_labelled("worked", worked, width), 1),
    ]


def _diagnosis(diagnosis: Diagnosis | None, width: int) -> list[Text]:
    """The agent's own words, as a quotation: nobody has checked them."""
    return _labelled("agent", Text(_one_line(quotation(diagnosis)), style="italic"), width) if diagnosis else []


def _words(words: Lesson) -> tuple[str, str, str]:
    """The first line, the last part and what is between: of these the middle is missed least."""
    first, _, rest = injection_of(words).partition("\n")
    middle, mark, last = rest.rpartition("\n**Fix**")
    return first, middle or rest, mark.lstrip("\n") + last if mark else ""


def _noted(notes: list[tuple[str, str]], width: int) -> list[Text]:
    return [line for style, note in notes for line in _wrapped(Text(_one_line(note), style=style), width)]


def _fit(blocks: list[Block], height: int) -> list[Text]:
    """The longest part loses lines until everything fits; where something was left out, its last line says so."""
    kept = [len(block.lines) for block in blocks]
    # Air where there is room for all of it.
    airy = sum(kept) + len(_AIR) <= height
    while sum(kept) > height:
        spare = [number - block.least for number, block in zip(kept, blocks, strict=True)]
        most = max(spare)
        if most <= 0:
            break
        kept[spare.index(most)] -= 1
    lines: list[Text] = []
    for place, (number, block) in enumerate(zip(kept, blocks, strict=True)):
        shown = block.lines[:number]
        lines += [Text()] if airy and place in _AIR and shown else []
        if number < len(block.lines) and shown:
            shown[-1] = Text(shown[-1].plain.rstrip()[:-1] + "…", style=shown[-1].style)
        lines += shown
    return lines


def _commands(pair: Pair, room: int) -> tuple[Text, Text]:
    if not pair.worked:
        return alone(pair.failed, room), Text("no later call worked", style="dim")
    if pair.failed != pair.worked:
        return diff(pair.failed, pair.worked, room)
    failed = alone(pair.failed, room)
    if not pair.failed_in:
        return failed, Text("the same command, later", style="green")
    failed.append(f"  (in {short_path(pair.failed_in)})", style="bold red")
    return failed, Text(f"the same in {short_path(pair.worked_in)}", style="bold green")


def _seen(candidate: Candidate) -> str:
    """`44× in 44 sessions, 2 projects (shop, garden), 19 minutes lost, 2026-02-17 to 2026-03-02`."""
    if not candidate.occurrence_count:
        return "not in your history yet"
    parts = [f"{candidate.occurrence_count}× in {many(candidate.session_count, 'session')}"]
    if candidate.project_count:
        names = ", ".join([*map(_one_line, candidate.projects[:3]), *["…"] * (candidate.project_count > 3)])
        parts.append(f"{many(candidate.project_count, 'project')} ({names})")
    if candidate.minutes_lost >= 1:
        parts.append(f"{many(round(candidate.minutes_lost), 'minute')} lost")
    days = dict.fromkeys(time[:10] for time in (candidate.first_seen, candidate.last_seen) if time)
    return ", ".join([*parts, *filter(None, [" to ".join(days)])])


def _trigger(view: View, width: int) -> Text:
    if view.triggers is None:
        reason = view.candidate.no_trigger or "no trigger"
        return Text(_one_line(reason), style="yellow")
    triggers = view.triggers
    text = Text()
    for field, patterns in patterns_in(triggers, PATTERNS):
        for pattern in patterns:
            label = "" if field.looks_at == "command" else f"{field.looks_at or field.name} "
            line = Text().append(label, style="dim").append(_one_line(pattern), style="bold magenta")
            line.truncate(2 * (width - _LABEL_WIDTH), overflow="ellipsis")
            text.append("\n" if text else "").append_text(line)
    where = [f"tool {_one_line(' or '.join(triggers.tool_names))}"] if triggers.tool_names else []
    where += [_MATCHED_ON[triggers.match_on]] if triggers.match_on in _MATCHED_ON else []
    where += ["as a note when a session starts"] if triggers.session_start else []
    where += [f"while {_one_line(condition)}" for condition in conditions(triggers)]
    place = f"only in {short_path(view.scope.path)}" if view.scope.path else "in every project"
    place = "everywhere on this machine" if view.scope.type == "machine" else place
    return text.append("\n" if text else "").append(", ".join([*where, place]), style="dim")


def _history(report: Report | None, width: int) -> list[Text]:
    if report is None:
        return []
    bar = Text()
    for sign in backtest_text.bar(report, _BAR_WIDTH):
        bar.append(sign, style=_SIGNS.get(sign, "dim"))
    return _labelled("history", bar.append("\n").append(_one_line(backtest_text.sentence(report))), width)


def _labelled(label: str, text: Text, width: int, most: int = 99) -> list[Text]:
    lines = _wrapped(text, width - _LABEL_WIDTH)[:most]
    names = [label, *[""] * len(lines)]
    return [
        Text().append(name.ljust(_LABEL_WIDTH), style="bold").append_text(line)
        for name, line in zip(names, lines, strict=False)
    ]


def _indented(text: str, width: int) -> list[Text]:
    lines = [line for part in render.printable(text).splitlines() for line in _wrapped(Text(part), width - 2)]
    return [Text("  ").append_text(line) for line in lines]


def _wrapped(text: Text, width: int) -> list[Text]:
    console = Console(width=width, highlight=False)
    return [line for part in text.split("\n") for line in part.wrap(console, width, overflow="fold")]


def short_path(path: str | None) -> str:
    """With ~ for the person's own folder."""
    home = os.path.expanduser("~")
    path = _one_line(path or "")
    return f"~{path[len(home) :]}" if path == home or path.startswith(home + os.sep) else path


def _one_line(text: str) -> str:
    return " ".join(render.printable(text).split())
