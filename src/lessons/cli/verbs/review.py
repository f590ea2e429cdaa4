"""`lessons review`: first the lessons that passed the test, all at once; then one screen for each case."""

import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Sequence

import click
import msgspec

from lessons import config
from lessons.agents.table import AGENTS
from lessons.candidate import WRITTEN, Tier
from lessons.cli import render, review_screen
from lessons.cli.candidate_text import note_hidden, quotation, weaker
from lessons.cli.excerpts import print_figures, raw_lines
from lessons.cli.options import data_home, tier_option
from lessons.cli.review_edit import ask_lesson, ask_reason, edit, edit_whole
from lessons.cli.review_screen import Shown
from lessons.cli.terminal import ask_key, forget_typed_ahead, read_key, single_keys
from lessons.errors import LessonsError, Refused
from lessons.learn.accept import PendingLesson, activate, pending, reject
from lessons.match.call import ToolCall
from lessons.match.time_limit import why_it_fires
from lessons.model import Scope, Triggers
from lessons.promote import backtest_report, decide, queue
from lessons.promote.backtest import compiled
from lessons.promote.candidate import is_gone, notes_on
from lessons.promote.draft import Choice, Draft, error_choice, make_draft
from lessons.promote.matching import good_hits
from lessons.promote.review_case import Answers, Case, make_ready, occurrence, occurrences_of, unfired, waiting
from lessons.promote.undo import undo_change
from lessons.store import lesson_file
from lessons.store.decisions import Decision
from lessons.store.history.history import History
from lessons.store.logs import analysed


@click.command("review", short_help="Go through the candidates and decide")
@click.option("--all", "everything", is_flag=True, help="Include those with weaker evidence, seen in one session only.")
@tier_option
@click.option("--yes", is_flag=True, help="Accept every lesson that was learned and passed the test.")
@render.json_option
def command(everything: bool, tier: Tier | None, yes: bool) -> None:
    """Go through the candidates and decide, one key for each: those with the best evidence first.

    Lessons that `lessons learn` brought and that passed the test on your history come first, all on one screen.

    Every other screen shows what failed, what worked instead, and what a lesson about it would have done in your own
    history. n and v page through its occurrences, ? explains every key. Every decision is saved at once: quit at
    any time, the next review continues from there. Without a terminal and with --json it lists what was learned;
    `lessons candidates --json` and `lessons promote` are for programs.
    """
    home = data_home()
    learned: list[PendingLesson] = []
    if tier is None:
        with History.for_reading(home) as history:
            learned = pending(history)
    if yes or not render.can_ask():
        _without_person(home, learned, yes)
        return
    try:
        if not decide_learned(home, learned):
            return
        found = waiting(home, config.load(home), everything, tier)
        walk = Walk(home, _split(learned, found.cases)[1])
        whole = walk.run()
    except KeyboardInterrupt:
        render.note("\nYour decisions are saved. The next review continues from there.")
        raise
    if walk.cases:
        finish(walk, found.hidden if whole else 0, "nothing more decided" if learned else "nothing decided")
    else:
        note_hidden(found.hidden, is_empty=not learned)


_KEYS_OF_LEARNED = "[a]ccept all  [l]ook at each  [r]eject all  s[k]ip  [q]uit  > "
_COLUMNS = ("at   ", "caught", "disturbed", "lesson")
_MEANING = (
    "caught: failed calls it fires on. disturbed: good calls it fires on. Accepted lessons are hints: they never stop"
    " a call. `lessons undo` takes one back."
)
_OTHER_ROWS = 9  # of the screen, in addition to its lessons


def decide_learned(home: str, found: Sequence[PendingLesson]) -> bool:
    """Shows learned lessons on one screen and applies the answer; returns whether to go on with other candidates."""
    written = [each for each in found if each.summary]
    if not written:
        return True
    # The title of an agent, without its model; any other name as it is.
    names = (each.by.partition(" (")[0] for each in written)
    authors = dict.fromkeys(AGENTS[name].title if name in AGENTS else render.printable(name) for name in names)
    number = render.many(len(written), "lesson")
    render.say(f"\n{number} from {' and '.join(authors)} passed the test on your history:")
    at, caught, disturbed = (len(name) for name in _COLUMNS[:-1])
    rows = [f"{each[0]:<{at}}  {each[1]:>{caught}}  {each[2]:>{disturbed}}  {each[3]}" for each in _rows(written)]
    print_figures("  ".join(_COLUMNS), rows, _MEANING, _OTHER_ROWS)
    if adding := sum(len(each.ids) for each in found if not each.summary):
        render.say(f"{render.many(adding, 'more mistake')} would only add evidence to lessons that you have.")
    with single_keys():
        key = ask_key(_KEYS_OF_LEARNED, "alrkq")
        reason = ask_reason() if key == "r" else None
    if key == "r" and reason is None:
        return decide_learned(home, found)
    if key == "a":
        render.say(_accept(home, found))
    elif reason is not None:
        reject(home, found, reason)
        render.say(f"Rejected {number}. `lessons undo --list` shows them.")
    elif key == "l":
        walk = Walk(home, _split(found, waiting(home, config.load(home), everything=True).cases)[0])
        whole = walk.run()
        finish(walk)
        return whole
    return key != "q"


def _rows(found: Sequence[PendingLesson]) -> list[tuple[str, int, int, str]]:
    return [(each.acts, each.caught, each.disturbed, render.one_line(each.summary)) for each in found if each.summary]


def _accept(home: str, found: Sequence[PendingLesson]) -> str:
    """Returns a sentence about what was done."""
    activate(home, {name for each in found for name in each.ids})
    number = len(_rows(found))
    return f"Accepted {render.many(number, 'lesson')}, as {'a hint' if number == 1 else 'hints'}."


def _split(found: Sequence[PendingLesson], cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Splits the cases of a review: those of these lessons, in their order, and all others."""
    places = {name: place for place, each in enumerate(found) for name in each.ids}

    def place(case: Case) -> int:
        return min(places.get(each.fingerprint, len(found)) for each in (case.candidate, *case.alike))

    learned = sorted((case for case in cases if place(case) < len(found)), key=place)
    return learned, [case for case in cases if place(case) == len(found)]


def _without_person(home: str, learned: list[PendingLesson], yes: bool) -> None:
    if not (yes or render.is_json() or learned):
        raise Refused("`lessons review` needs a terminal. Without one use `lessons candidates` and `lessons promote`.")
    done = _accept(home, learned) if yes else ""

    def print_all() -> None:
        if yes:
            render.say(done)
            return
        render.table(_COLUMNS, _rows(learned), "")
        render.note("Decide about them in `lessons review` on a terminal, or accept all with `lessons review --yes`.")

    document = {"accepted" if yes else "learned": msgspec.to_builtins(learned)}
    render.emit(document, print_all)


_PROMOTIONS: dict[str, Choice] = {
    "p": Choice(),
    "s": Choice(effect="stopOnce"),
    "b": Choice(effect="block"),
    "h": Choice(stage="shadow"),
}
_VERBS = {"p": "promote it", "s": "stop", "b": "block", "h": "put it into shadow"}
_NAMES = {"p": "promoted", "s": "promoted as stop once", "b": "promoted as block", "h": "in shadow"}
_GOOD, _DOUBTFUL, _WRONG = "green", "yellow", "red"


class Occurrences:
    """Remembers which occurrence of the case is shown; starts with the clearest one for another case."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._fingerprint = ""
        self._number = 0

    def of(self, case: Case, steps: int = 0) -> Shown:
        """Returns the occurrence that is so many steps from the one that was shown."""
        if self._fingerprint != case.candidate.fingerprint:
            self._fingerprint, self._number = case.candidate.fingerprint, 0
        found = occurrences_of([case.candidate, *case.alike], case.pair)
        if not found:
            return Shown(case.pair, "", case.diagnosis)
        self._number = (self._number + steps) % len(found)
        place = f"occurrence {self._number + 1} of {len(found)} ([n]ext pre[v])" if len(found) > 1 else ""
        candidate, evidence = found[self._number]
        name = evidence.tool_use_id or ""
        with History.for_reading(self._home) as history:
            pair = analysed(
                self._home, candidate.fingerprint, lambda: occurrence(history, candidate, evidence), lambda fault: None
            )
            written = history.diagnoses.of([name]).get(name)
        return Shown(pair or case.pair, place, written or case.diagnosis)

    def whole(self, case: Case) -> list[str]:
        """Returns the lines of the occurrence as stored in the history."""
        pair, _, diagnosis = self.of(case)
        parts = {
            "when": "  ".join(filter(None, [pair.time[:16].replace("T", " "), pair.session, pair.folder])),
            "failed": pair.failed,
            "printed": pair.output or pair.error,
            "the agent wrote": quotation(diagnosis) if diagnosis else "",
            "worked": pair.worked or "no later call worked",
        }
        return [line for name, text in parts.items() if text for line in (f"── {name} ──", *raw_lines(text))]


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
        self._promoted: dict[str, decide.Promoted] = {}  # by the id of the decision
        self._messages: list[tuple[str, str]] = []
        self._armed = ""  # pressing this key again overrides the objections
        self._occurrences = Occurrences(home)
        self._answers = Answers(home)
        self._keys: dict[str, Callable[[], object]] = {
            "e": self._edit,
            "w": self._edit_whole,
            "g": self._good_calls,
            "k": self._skip,
            "r": self._reject,
            "m": self._merge,
            "u": self._undo,
            "n": lambda: self._occurrences.of(self.case, 1),
            "v": lambda: self._occurrences.of(self.case, -1),
            "o": lambda: click.echo_via_pager("\n".join(self._occurrences.whole(self.case))),
            "?": lambda: click.echo_via_pager(
                "\n".join(review_screen.help_lines(shutil.get_terminal_size().columns - 1))
            ),
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
            for style, message in self._messages:
                click.secho(render.folded(render.printable(message), sys.stdout), fg=style)
        return True

    def promoted(self) -> list[tuple[Case, decide.Promoted]]:
        """Returns the promoted cases with their lessons."""
        return [
            (self.cases[move.position], self._promoted[each.id])
            for move in self.moves
            for each in move.decisions[:1]
            if each.id in self._promoted
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
        case, candidate = self.case, self.case.candidate
        make_ready(self.home, [case])
        draft = self._draft(case.choice)
        notes = [(_WRONG, "It is no longer in the history: press k to skip it.")] if is_gone(candidate) else []
        if number := len(case.alike):
            others = "one more candidate says" if number == 1 else f"{number} more candidates say"
            notes.append((_DOUBTFUL, f"{others} nearly the same; your decision applies to all of them."))
        about = notes_on(candidate)
        if about and candidate.worded and not candidate.worded.worth_a_lesson:
            about.append("Press r to reject it.")
        notes += [(_DOUBTFUL, note) for note in about]
        notes += [(_WRONG, f"{problem} (e to edit)") for problem in draft.problems[:2]]
        notes += [(_DOUBTFUL, warning) for warning in draft.warnings[:1]]
        messages, self._messages = self._messages, []
        if any(style != _GOOD for style, _ in messages):
            notes, messages = [*notes[:1], *messages], []
        answer = self._answers.of(candidate)
        view = review_screen.View(
            f"{self.position + 1} of {len(self.cases)}",
            case,
            self._occurrences.of(case),
            draft,
            answer.sentence() if answer else "",
            messages,
            notes,
        )
        forget_typed_ahead()
        click.echo()
        review_screen.draw(view)

    def _draft(self, choice: Choice) -> Draft:
        lessons = lesson_file.read(self.home).lessons()
        with History.for_reading(self.home) as history:
            return make_draft(history, self.settings, self.case.candidate, choice, lessons, self.case.alike)

    def _promote(self, key: str, again: bool) -> None:
        case, wanted = self.case, _PROMOTIONS[key]
        choice = msgspec.structs.replace(case.choice, effect=wanted.effect, stage=wanted.stage, force=again)
        if case.triggers is None:
            choice = msgspec.structs.replace(choice, session_start=True)
        against = self._objections(key, choice)
        if against and not again:
            self._armed = key
            self._say(_DOUBTFUL, *against)
            return
        promoted = decide.promote(self.home, case.candidate, choice, case.alike)
        self._promoted[promoted.decision.id] = promoted
        name = _NAMES["h"] if promoted.record.get("stage") == "shadow" else _NAMES[key]
        self._done(name, [promoted.decision], f"{name.capitalize()}: {promoted.record['slug']}")

    def _objections(self, key: str, choice: Choice) -> list[str]:
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

    def _done(self, name: str, decisions: list[Decision], message: str) -> None:
        queue.skip(self.home, self._fingerprints(), undo=True)
        self.moves.append(Move(self.position, name, decisions))
        self.position += 1
        # No keys are read after the last screen.
        undo = "u" if self.position < len(self.cases) else "`lessons undo`"
        self._say(_GOOD, f"{message} ({undo} undoes it).")

    def _fingerprints(self) -> list[str]:
        return [each.fingerprint for each in (self.case.candidate, *self.case.alike)]

    def _say(self, style: str, *sentences: str) -> None:
        self._messages += [(style, line) for sentence in sentences for line in sentence.splitlines()]

    def _edit(self) -> None:
        suggested = None
        if self.case.triggers is None or not self.case.triggers.error_patterns:
            with History.for_reading(self.home) as history:
                suggested = error_choice(history, self.case.candidate)
        self._choose(edit(self.case, suggested, self._check))

    def _edit_whole(self) -> None:
        self._choose(edit_whole(self.case, self._draft(self.case.choice).document))

    def _choose(self, choice: Choice) -> None:
        before, self.case.choice = self.case.choice, choice
        if choice != before:
            self.moves.append(Move(self.position, "edited", before=before))

    def _good_calls(self) -> None:
        """Lists the calls that the back-test counts as disturbed."""
        found = []
        if self.case.triggers is not None:
            rule = compiled(self.case.triggers, self.case.scope).rule
            with History.for_reading(self.home) as history:
                found = list(good_hits(history, rule))
        if not found:
            self._say(_GOOD, "It would disturb no good call.")
            return
        lines = [f"{render.many(len(found), 'good call')} that it would disturb:"]
        for each in sorted(found, key=lambda call: call.time, reverse=True):
            lines.append(f"── {each.time[:16].replace('T', ' ')}  {each.session_id}  {each.cwd} ──")
            lines += raw_lines(each.command or each.path or each.tool)
        click.echo_via_pager(render.printable("\n".join(lines)))

    def _check(self, triggers: Triggers, scope: Scope) -> str:
        """Returns why a lesson with this trigger would not help with the case; empty if it would."""
        together = [self.case.candidate, *self.case.alike]
        try:
            with History.for_reading(self.home) as history:
                return unfired(history, together, triggers, scope)
        except Refused as refused:
            return str(refused)

    def _skip(self) -> None:
        queue.skip(self.home, self._fingerprints())
        self.moves.append(Move(self.position, "skipped"))
        self.position += 1

    def _reject(self) -> None:
        reason = ask_reason()
        if reason is not None:
            done = decide.archive(self.home, self._fingerprints(), reason)
            self._done("rejected", done, "Rejected, not shown again")

    def _merge(self) -> None:
        answer = self._answers.of(self.case.candidate)
        slug = ask_lesson(self.home, self.case, answer.slug if answer and answer.is_stored else "")
        if slug is not None:
            together = (self.case.candidate, *self.case.alike)
            self._done("merged", [decide.merge(self.home, each, slug) for each in together], f"Merged into {slug}")

    def _undo(self) -> None:
        if not self.moves:
            self._say(_DOUBTFUL, "Nothing to undo in this review. `lessons undo` undoes earlier decisions.")
            return
        move = self.moves[-1]
        for decision in reversed(move.decisions):
            undo_change(self.home, decision.id)
        self.moves.pop()
        if move.before is not None:
            self.case.choice = move.before
            self._say(_GOOD, "Undone: it is as it was before the edit.")
            return
        self.position = move.position
        queue.skip(self.home, self._fingerprints(), undo=True)
        self._say(_GOOD, f"Undone: it was {move.name}.")


def finish(walk: Walk, hidden: int = 0, nothing: str = "nothing decided") -> None:
    counts = Counter(move.name for move in walk.moves if move.before is None)
    decided = ", ".join(f"{number} {name}" for name, number in counts.items()) or nothing
    left = len(walk.cases) - walk.position
    rest = f"; {left} left: `lessons review` continues there" if left else ""
    render.say(f"\n{decided.capitalize()}{rest}.")
    if hidden:
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
