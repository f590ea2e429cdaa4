"""Goes through the cases of a review, one screen each, and applies what the keys decide."""

import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import click
import msgspec

from lessons import config
from lessons.candidate import WRITTEN
from lessons.cli import render, review_screen
from lessons.cli.candidate_text import quotation, weaker
from lessons.cli.excerpts import raw_lines
from lessons.cli.review_edit import ask_lesson, ask_reason, edit
from lessons.cli.review_screen import View, help_lines
from lessons.cli.terminal import forget_typed_ahead, read_key, show_pages, single_keys
from lessons.errors import LessonsError, Refused
from lessons.match.call import ToolCall
from lessons.match.time_limit import why_it_fires
from lessons.model import Lesson, Scope, Triggers
from lessons.promote import backtest_report, decide
from lessons.promote.backtest import compiled
from lessons.promote.candidate import Candidate, Evidence, is_gone, notes_on, seen_of
from lessons.promote.decide import Choice, Decision, Draft
from lessons.promote.review_case import Answers, Case, Pair, fired, make_ready, occurrence, occurrences_of
from lessons.store import lesson_file, review_notes
from lessons.store.fault_boundary import analysed
from lessons.store.history.episodes import Diagnosis
from lessons.store.history.history import History

_MOST_LINES = 400  # of one text: nobody reads more
_PROMOTIONS: dict[str, Choice] = {
    "p": Choice(),
    "s": Choice(effect="stopOnce"),
    "b": Choice(effect="block"),
    "h": Choice(stage="shadow"),
}
_VERBS = {"p": "promote it", "s": "stop", "b": "block", "h": "put it into shadow"}
_NAMES = {"p": "promoted", "s": "promoted as stop once", "b": "promoted as block", "h": "in shadow"}
_GOOD, _DOUBTFUL, _WRONG = "green", "yellow", "red"


class Shown(NamedTuple):
    """One occurrence and its position among all; the position is empty if there is only one."""

    pair: Pair
    place: str
    diagnosis: Diagnosis | None  # what the agent wrote after this occurrence, or after another one


class Occurrences:
    """Remembers which occurrence of the case is shown; starts with the clearest one for another case."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._fingerprint = ""
        self._all: list[tuple[Candidate, Evidence]] = []
        self._number = 0

    def of(self, case: Case) -> Shown:
        self._start(case)
        if not self._all:
            return Shown(case.pair, "", case.diagnosis)
        number = len(self._all)
        place = f"occurrence {self._number + 1} of {number} ([n]ext pre[v])" if number > 1 else ""
        pair, diagnosis = self._read(case)
        return Shown(pair, place, diagnosis)

    def turn(self, case: Case, steps: int) -> None:
        self._start(case)
        self._number = (self._number + steps) % max(1, len(self._all))

    def whole(self, case: Case) -> list[str]:
        """Returns the lines of the occurrence as stored in the history."""
        pair, _, diagnosis = self.of(case)
        parts = [
            ("when", "  ".join(filter(None, [pair.time[:16].replace("T", " "), pair.session, pair.folder]))),
            ("failed", pair.failed),
            ("printed", pair.output or pair.error),
            ("the agent wrote", quotation(diagnosis) if diagnosis else ""),
            ("worked", pair.worked or "no later call worked"),
        ]
        lines: list[str] = []
        for name, text in parts:
            if text:
                lines += [f"── {name} ──", *_both_ends(raw_lines(text))]
        return lines

    def _start(self, case: Case) -> None:
        if self._fingerprint != case.candidate.fingerprint:
            self._fingerprint, self._number = case.candidate.fingerprint, 0
            self._all = occurrences_of([case.candidate, *case.alike], case.pair)

    def _read(self, case: Case) -> tuple[Pair, Diagnosis | None]:
        candidate, evidence = self._all[self._number]
        with History.for_reading(self._home) as history:
            found = analysed(
                self._home,
                candidate.fingerprint,
                lambda: occurrence(history, candidate, evidence),
                lambda fault: None,
            )
            name = evidence.tool_use_id or ""
            written = history.diagnoses.of([name]).get(name)
        return found or case.pair, written or case.diagnosis


def _both_ends(lines: list[str]) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return lines
    half = _MOST_LINES // 2
    return [*lines[:half], f"… {len(lines) - 2 * half} more lines", *lines[-half:]]


class Move(msgspec.Struct, frozen=True):
    """One step of a review, so that it can be undone."""

    position: int
    name: str
    decisions: list[Decision] = []
    before: Choice | None = None  # of an edit


class Walk:
    """The position in a review, and the decisions so far."""

    def __init__(self, home: str, cases: list[Case]) -> None:
        self.home = home
        self.cases = cases
        self.settings = config.load(home)
        self.position = 0
        self.moves: list[Move] = []
        self._messages: list[tuple[str, str]] = []
        self._armed = ""  # pressing this key again overrides the objections
        self._occurrences = Occurrences(home)
        self._answers = Answers(home)
        self._keys: dict[str, Callable[[], None]] = {
            "e": self._edit,
            "k": self._skip,
            "r": self._reject,
            "a": self._reject,  # the former name of the key
            "m": self._merge,
            "u": self._undo,
            "n": lambda: self._occurrences.turn(self.case, 1),
            "v": lambda: self._occurrences.turn(self.case, -1),
            "o": self._output,
            "?": self._help,
        }

    @property
    def case(self) -> Case:
        return self.cases[self.position]

    def run(self) -> bool:
        """Returns True if the user reached the end, False if they quit."""
        with single_keys():
            while self.position < len(self.cases):
                self._show()
                key = read_key()
                click.echo(key if key.isprintable() else "")
                if key == "q":
                    return False
                self._press(key)
            for style, note in self._messages:
                # No keys are read after the last screen.
                said = render.printable(note.replace("(u undoes", "(`lessons undo` undoes"))
                click.secho(render.folded(said, sys.stdout), fg=style)
        return True

    def counts(self) -> Counter[str]:
        return Counter(move.name for move in self.moves if move.before is None)

    def promoted(self) -> list[tuple[Case, str]]:
        """Returns the promoted cases with the slugs of their lessons."""
        return [
            (self.cases[move.position], move.decisions[0].slug)
            for move in self.moves
            if move.decisions and move.decisions[0].action == "promoted"
        ]

    def _press(self, key: str) -> None:
        armed, self._armed = self._armed, ""
        try:
            if key in _PROMOTIONS:
                self._promote(key, armed == key)
            elif key in self._keys:
                self._keys[key]()
            elif key.strip():
                name = key if key.isprintable() else f"^{chr(ord(key) ^ 64)}"
                self._say(_DOUBTFUL, f"{name} is not a key. Press ? for help.")
        except LessonsError as refused:
            self._say(_WRONG, str(refused))

    def _show(self) -> None:
        case = self.case
        make_ready(self.home, [case])
        draft = self._draft(case.choice)
        problems = [(_WRONG, f"{problem} (e to edit)") for problem in draft.problems]
        warnings = [(_DOUBTFUL, warning) for warning in draft.warnings]
        words = [str(draft.document.get(name, "")) for name in ("summary", "problem", "solution")]
        messages, self._messages = self._messages, []
        worded = [(_DOUBTFUL, note) for note in notes_on(case.candidate)]
        if worded and case.candidate.worded and not case.candidate.worded.worth_a_lesson:
            worded.append((_DOUBTFUL, "Press r to reject it."))
        gone = [(_WRONG, "It is no longer in the history: press k to skip it.")] if is_gone(case.candidate) else []
        notes = [*gone, *self._alike(), *worded, *problems[:2], *warnings[:1]]
        if any(style != _GOOD for style, _ in messages):
            notes, messages = [*notes[:1], *messages], []
        place = f"{self.position + 1} of {len(self.cases)}"
        lesson = Lesson(id="", slug="", summary=words[0], problem=words[1], solution=words[2])
        occurrence = self._occurrences.of(case)
        shown = (case.candidate, seen_of([case.candidate, *case.alike]), occurrence.pair, occurrence.place)
        about = (place, *shown, self._answered(), case.triggers, case.scope, lesson, draft.report)
        forget_typed_ahead()
        click.echo()
        review_screen.draw(View(*about, messages, notes, occurrence.diagnosis))

    def _answered(self) -> str:
        answer = self._answers.of(self.case.candidate)
        return answer.sentence() if answer else ""

    def _alike(self) -> list[tuple[str, str]]:
        number = len(self.case.alike)
        if not number:
            return []
        others = "one more candidate says" if number == 1 else f"{number} more candidates say"
        return [(_DOUBTFUL, f"{others} nearly the same; your decision applies to all of them.")]

    def _draft(self, choice: Choice) -> Draft:
        known = lesson_file.read(self.home).lessons()
        with History.for_reading(self.home) as history:
            return decide.draft(history, self.settings, self.case.candidate, choice, known, self.case.alike)

    def _promote(self, key: str, again: bool) -> None:
        case, wanted = self.case, _PROMOTIONS[key]
        choice = msgspec.structs.replace(case.choice, effect=wanted.effect, stage=wanted.stage, force=again)
        if case.triggers is None:
            choice = msgspec.structs.replace(choice, session_start=True)
        against = self._against(key, choice)
        if against and not again:
            self._armed = key
            self._say(_DOUBTFUL, *against)
            return
        promoted = decide.promote(self.home, case.candidate, choice, case.alike)
        name = _NAMES["h"] if promoted.record.get("stage") == "shadow" else _NAMES[key]
        self._done(name, [promoted.decision])
        self._say(_GOOD, f"{name.capitalize()}: {promoted.record['slug']} (u undoes it).")

    def _against(self, key: str, choice: Choice) -> list[str]:
        """Returns objections that the same key overrides; raises for problems that cannot be overridden."""
        if self.case.triggers is None:
            if key != "p":
                raise Refused("It has no trigger, so it cannot fire. Press e, then t to add one.")
            return [
                "No trigger: it would be shown at every session start. Press p again to do that; e, then t adds one."
            ]
        if late := backtest_report.acts_too_late(choice.effect, self.case.triggers):
            raise Refused(f"{late} Press p to hint instead, or e, t, c to add a pattern for the command.")
        draft = self._draft(choice)
        if draft.problems:
            raise Refused("\n".join([*draft.problems, "Press e to edit it."]))
        again = f"Press {key} again to {_VERBS[key]} anyway (logged)."
        return [*draft.objections, again] if draft.objections else []

    def _done(self, name: str, decisions: list[Decision]) -> None:
        review_notes.unskip(self.home, self._fingerprints())
        self.moves.append(Move(self.position, name, decisions))
        self.position += 1

    def _fingerprints(self) -> list[str]:
        return [each.fingerprint for each in (self.case.candidate, *self.case.alike)]

    def _say(self, style: str, *sentences: str) -> None:
        self._messages += [(style, line) for sentence in sentences for line in sentence.splitlines()]

    def _edit(self) -> None:
        suggested = None
        if self.case.triggers is None or not self.case.triggers.error_patterns:
            with History.for_reading(self.home) as history:
                suggested = decide.error_choice(history, self.case.candidate)
        before = self.case.choice
        self.case.choice = edit(self.case, suggested, self._check)
        if self.case.choice != before:
            self.moves.append(Move(self.position, "edited", before=before))

    def _check(self, triggers: Triggers, scope: Scope) -> str:
        """Returns why a lesson with this trigger would not help with the case; empty if it would."""
        together = [self.case.candidate, *self.case.alike]
        try:
            with History.for_reading(self.home) as history:
                return fired(history, together, triggers, scope).warning()
        except Refused as refused:
            return str(refused)

    def _skip(self) -> None:
        review_notes.skip(self.home, self._fingerprints())
        self.moves.append(Move(self.position, "skipped"))
        self.position += 1

    def _reject(self) -> None:
        reason = ask_reason()
        if reason is None:
            return
        self._done("rejected", [decide.archive(self.home, mark, reason) for mark in self._fingerprints()])
        self._say(_GOOD, "Rejected, not shown again (u undoes it).")

    def _merge(self) -> None:
        answer = self._answers.of(self.case.candidate)
        slug = ask_lesson(self.home, self.case, answer.slug if answer and answer.is_stored else "")
        if slug is None:
            return
        together = (self.case.candidate, *self.case.alike)
        self._done("merged", [decide.merge(self.home, each, slug) for each in together])
        self._say(_GOOD, f"Merged into {slug} (u undoes it).")

    def _undo(self) -> None:
        if not self.moves:
            self._say(_DOUBTFUL, "Nothing to undo in this review. `lessons undo` undoes earlier decisions.")
            return
        move = self.moves[-1]
        if move.before is not None:
            self.moves.pop()
            self.case.choice = move.before
            self._say(_GOOD, "Undone: it is as it was before the edit.")
            return
        for decision in reversed(move.decisions):
            decide.undo(self.home, decision.id)
        self.moves.pop()
        self.position = move.position
        review_notes.unskip(self.home, self._fingerprints())
        self._say(_GOOD, f"Undone: it was {move.name}.")

    def _output(self) -> None:
        """Prints the whole of the current occurrence."""
        show_pages(self._occurrences.whole(self.case))

    def _help(self) -> None:
        show_pages(help_lines(shutil.get_terminal_size().columns - 1))


def finish(walk: Walk, whole: bool, hidden: int) -> None:
    counts = walk.counts()
    decided = ", ".join(f"{number} {name}" for name, number in counts.items()) or "nothing decided"
    left = len(walk.cases) - walk.position
    rest = f"; {left} left: `lessons review` continues there" if left else ""
    render.say(f"\n{decided.capitalize()}{rest}.")
    if whole and hidden:
        render.say(f"{weaker(hidden)}: run `lessons review --all`.")
    for case, _ in walk.promoted()[-1:]:
        if line := try_line(case):
            render.say(f"See it fire:  {line}")


def try_line(case: Case) -> str:
    """Returns a `lessons try` command that shows the lesson fire; empty if no command of the history does."""
    if case.triggers is None or case.candidate.tier == WRITTEN:  # tags and imports are not based on a call
        return ""
    call = ToolCall("Bash", {"command": case.pair.failed})
    if why_it_fires(compiled(case.triggers).rule, call) is None:
        return ""
    line = f"lessons try {shlex.quote(case.pair.failed)}"
    return f"{line} --cwd {shlex.quote(case.scope.path)}" if case.scope.path else line
