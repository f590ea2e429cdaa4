"""Draws one candidate with its back-test, never wider or longer than the screen; explains the keys."""

import textwrap
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from lessons.candidate import CORRECTION, WRITTEN
from lessons.cli import render
from lessons.cli.candidate_text import counts_of, quotation, scope_words, short_path
from lessons.cli.excerpts import (
    FIRST,
    LABEL_WIDTH,
    LAST,
    MIDDLE,
    Block,
    alone,
    cut,
    diff,
    fit,
    key_lines,
    labelled,
    lines,
    output_lines,
    wrapped,
)
from lessons.lesson_fields import PATTERNS, WORDS, conditions, patterns_in
from lessons.model import Lesson
from lessons.promote import backtest_report
from lessons.promote.backtest import Report
from lessons.promote.draft import Draft
from lessons.promote.publish.entry import injection_of
from lessons.promote.review_case import Case, Pair
from lessons.store.history.episodes import Diagnosis

_KEY_MEANINGS = {
    "p": "promote: the agent reads the lesson with the result of such a call",
    "s": "stop once: the first such call of a session is denied with the lesson as the reason; the second one passes",
    "b": "block: every such call is denied; `lessons allow` lets one pass",
    "h": "shadow: matches are only logged, to see what it would do",
    "e": "edit the trigger, its exceptions (unless), the words or the scope; the back-test is run again at once",
    "w": "open the whole lesson in $EDITOR, with its priority and tags",
    "g": "list every good call that it would disturb",
    "k": "skip: shown again at the end of the next review",
    "r": "reject with a reason: not shown again",
    "m": "merge into a similar lesson, which gets the evidence",
    "u": "undo the last step of this review",
    "n v": "show the next or the previous occurrence",
    "o": "print the whole command and output of the occurrence on the screen",
    "q": "quit: decisions are saved, the next review continues from there",
}
_TERMS = (
    '`unless` and `fires` are regexes. "history" is what the trigger would have done at the calls of your agents.'
    ' The calls it was learned from are counted separately. A call that worked and that it fires on is "disturbed".'
)
KEYS = (
    "[p]romote",
    "[s]top once",
    "[b]lock",
    "s[h]adow: try it silently",
    "[e]dit",
    "[w]hole",
    "[g]ood calls",
    "[o]utput",
    "s[k]ip",
    "[r]eject",
    "[m]erge",
    "[u]ndo",
    "[q]uit",
    "[?]  > ",
)
_MATCHED_ON = {"invocation": "at the start of a command", "script": "in code for an interpreter"}
_FEWEST_ROWS = 18
_BAR_WIDTH = 24
# Lines of the failed command, its output and the command that worked; the first that fits is used.
_ROOMS = ((9, 8, 7), (7, 6, 5), (5, 5, 4), (4, 4, 3), (3, 3, 2), (2, 2, 2), (2, 1, 2), (2, 1, 1))
# What it was learned from, would have caught, what else failed, and what it would have disturbed.
_SIGNS = dict(zip(backtest_report.SIGNS, ("cyan", "green", "yellow", "red"), strict=False))
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
    "report": "a lesson that an agent reported",
    "review": "what reviews keep finding",
}


class Shown(NamedTuple):
    """One occurrence and its position among all; the position is empty if there is only one."""

    pair: Pair
    place: str
    diagnosis: Diagnosis | None  # what the agent wrote after this occurrence, or after another one


class View(NamedTuple):
    """What a screen shows."""

    place: str
    case: Case
    shown: Shown
    draft: Draft
    answered: str  # the lesson that already covers it, if any
    messages: list[tuple[str, str]]  # style, sentence: the result of the last key
    notes: list[tuple[str, str]]  # style, sentence: about this candidate


def draw(view: View) -> None:
    console = Console(highlight=False)
    width = max(40, console.width)
    keys = key_lines(KEYS, width)
    # Leaves a line that shows that nothing was cut above.
    height = max(_FEWEST_ROWS, console.height) - len(keys) - 1
    for room in _ROOMS:
        blocks = _blocks(view, width - 1, room)
        if sum(len(block.lines) for block in blocks if block.rank != FIRST) <= height:
            break
    for line in fit(blocks, height, width - 1):
        console.print(line, no_wrap=True, overflow="ellipsis", crop=True)
    for line_of_keys in keys[:-1]:
        console.print(Text(line_of_keys, style="bold"))
    console.print(Text(keys[-1], style="bold"), end="")


def _blocks(view: View, width: int, room: tuple[int, int, int]) -> list[Block]:
    case, shown = view.case, view.shown
    candidate = case.candidate
    title = _TITLES.get(candidate.kind, render.one_line(candidate.kind))
    worded = candidate.worded
    title += f", worded by {render.one_line(worded.by)}" if worded and worded.worth_a_lesson else ""
    heading = Text().append(f"── {view.place} ── {title} ", style="bold cyan")
    if shown.place:
        heading.append("── ", style="bold cyan").append(f"{shown.place} ", style="cyan")
    heading.append("─" * max(0, width - heading.cell_len), style="cyan")
    heading.truncate(width, overflow="ellipsis")
    summary, problem, solution = (str(view.draft.document.get(field.name, "")) for field in WORDS)
    words = Lesson(id="", slug="", summary=summary, problem=problem, solution=solution)
    # The middle of the words is the least important.
    summary, _, rest = injection_of(words).partition("\n")
    problem, mark, fix = rest.rpartition("\n**Fix**")
    problem, fix = (problem, mark.lstrip("\n") + fix) if mark else (rest, "")
    fires = labelled("fires", _trigger(case, width), width)
    answered = [cut(render.one_line(view.answered), width - LABEL_WIDTH, "yellow")] if view.answered else []
    seen = Text(counts_of(candidate, *case.alike, detailed=True))
    # The agent's own words are a quotation, because nobody has checked them.
    agent = Text(render.one_line(quotation(shown.diagnosis)), style="italic") if shown.diagnosis else None
    # On a small screen what the agent will do comes first: the trigger, the scope and the words.
    return [
        Block(_noted(view.messages, width), LAST),
        Block([heading], LAST),
        *(Block(part, MIDDLE, floor) for part, floor in zip(_what(view, width, room), (1, 0, 0), strict=True)),
        Block(labelled("agent", agent, width) if agent else [], FIRST, 0),
        Block(labelled("seen", seen, width), floor=0),
        Block(lines("answered", answered), floor=0),
        Block(fires, LAST, 3),
        Block(_history(view.draft.report, width), floor=0),
        Block([Text("the agent would read:", style="bold"), *_indented(summary, width)], LAST, 2),
        Block(_indented(problem, width), FIRST, 0, is_marked=True),
        Block(_indented(fix, width), LAST),
        Block(_noted(view.notes, width), LAST, 0),
    ]


def _what(view: View, width: int, room: tuple[int, int, int]) -> list[list[Text]]:
    """Returns three parts: a failure and its fix, a person's words about an action, or the agent's own words."""
    pair, candidate, inner = view.shown.pair, view.case.candidate, width - LABEL_WIDTH
    if candidate.tier == CORRECTION:
        remark = labelled("said", Text(render.one_line(pair.error), style="bold"), width)
        return [lines("after", _alone(pair.failed, inner, room[0])), remark, []]
    if candidate.tier == WRITTEN:
        session = render.one_line("".join(candidate.source_session_ids[-1:]))
        origin = f"by the agent in session {session}; something it read may have prompted it"
        origin = f"in {short_path(candidate.source)}" if candidate.source else origin
        about = lines("about", _alone(pair.failed, inner, room[0])) if pair.failed else []
        return [about, [], labelled("written", Text(origin), width)]
    failed, worked = _commands(pair, inner, room)
    output = output_lines(pair.output or pair.error, pair.error or candidate.error, inner, room[1])
    return [lines("failed", failed), lines("printed", output), lines("worked", worked)]


def _noted(notes: list[tuple[str, str]], width: int) -> list[Text]:
    return [line for style, note in notes for line in wrapped(Text(render.one_line(note), style=style), width)]


def _commands(pair: Pair, inner: int, room: tuple[int, int, int]) -> tuple[list[Text], list[Text]]:
    failed = _alone(pair.failed, inner, room[0])
    if not pair.worked:
        return failed, [Text("no later call worked", style="dim")]
    if pair.failed != pair.worked:
        before, _ = diff(pair.failed, pair.worked, *_sizes(pair.failed, inner, room[0]))
        _, after = diff(pair.failed, pair.worked, *_sizes(pair.worked, inner, room[2]))
        return _folded(before, inner), _folded(after, inner)
    if not pair.failed_in:
        return failed, [Text("the same command, later", style="green")]
    failed[-1].append(f"  (in {short_path(pair.failed_in)})", style="bold red")
    return _folded(failed, inner), [Text(f"the same in {short_path(pair.worked_in)}", style="bold green")]


def _alone(command: str, inner: int, most: int) -> list[Text]:
    return _folded(alone(command, *_sizes(command, inner, most)), inner)


def _sizes(command: str, inner: int, most: int) -> tuple[int, int]:
    """Returns how long a line of a command may be, and how many there may be; a single line is folded once.

    Where there is room for two lines only, a command of several lines is shown as a single one.
    """
    return (inner, most) if "\n" in command.strip() and most > 2 else (min(most, 2) * inner - 2, 1)


def _folded(folded: list[Text], inner: int) -> list[Text]:
    return [part for line in folded for part in wrapped(line, inner)]


def _trigger(case: Case, width: int) -> Text:
    if case.triggers is None:
        reason = case.candidate.no_trigger or "no trigger"
        return Text(render.one_line(reason), style="yellow")
    triggers = case.triggers
    text = Text()
    for field, patterns in patterns_in(triggers, PATTERNS):
        for pattern in patterns:
            label = "" if field.looks_at == "command" else f"{field.looks_at or field.name} "
            line = Text().append(label, style="dim").append(render.one_line(pattern), style="bold magenta")
            line.truncate(2 * (width - LABEL_WIDTH), overflow="ellipsis")
            text.append("\n" if text else "").append_text(line)
    where = [f"tool {render.one_line(' or '.join(triggers.tool_names))}"] if triggers.tool_names else []
    where += [_MATCHED_ON[triggers.match_on]] if triggers.match_on in _MATCHED_ON else []
    where += ["as a note when a session starts"] if triggers.session_start else []
    where += [f"while {render.one_line(condition)}" for condition in conditions(triggers)]
    return text.append("\n" if text else "").append(", ".join([*where, scope_words(case.scope)]), style="dim")


def _history(report: Report | None, width: int) -> list[Text]:
    """Returns the bar, the meaning of its signs, and the figures in words."""
    if report is None:
        return []
    text = Text()
    for sign in backtest_report.bar(report, _BAR_WIDTH):
        text.append(sign, style=_SIGNS.get(sign, "dim"))
    legend = Text()
    for sign, meaning in backtest_report.legend(report):
        legend.append("  " if legend else "").append(sign, style=_SIGNS.get(sign, "dim")).append(f" {meaning}", "dim")
    if legend:
        beside = text.cell_len + legend.cell_len + 2 <= width - LABEL_WIDTH
        text.append("  " if beside else "\n").append_text(legend)
    return labelled("history", text.append("\n").append(render.one_line(backtest_report.sentence(report))), width)


def _indented(text: str, width: int) -> list[Text]:
    lines = [line for part in render.printable(text).splitlines() for line in wrapped(Text(part), width - 2)]
    return [Text("  ").append_text(line) for line in lines]


def help_lines(width: int) -> list[str]:
    """Returns the help, folded between words."""
    lines = []
    for key, meaning in _KEY_MEANINGS.items():
        lines += textwrap.wrap(meaning, width, initial_indent=f"  {key}  ", subsequent_indent="     ")
    return [*lines, "", *textwrap.wrap(_TERMS, width, initial_indent="  ", subsequent_indent="  ")]
