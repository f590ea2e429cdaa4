"""The steps of `lessons init`, what it prints at the end, and `lessons init --project`."""

import os
import shlex
from collections.abc import Callable, Sequence
from itertools import islice
from typing import NamedTuple

import click
from rich.console import Console
from rich.text import Text

from lessons import config, paths
from lessons.agents.found import FoundAgent, has_hook, other_home
from lessons.agents.install import Request, install
from lessons.agents.places import settings_file
from lessons.agents.table import AGENTS, DEFAULT_AGENT
from lessons.cli import after_scan, render
from lessons.cli import init_starter as starter
from lessons.cli.candidate_text import counts_of, short_path
from lessons.cli.home import data_home
from lessons.cli.render import many
from lessons.cli.review import Walk, try_line
from lessons.cli.verbs.scan import prove
from lessons.config import Config
from lessons.errors import Busy, LessonsError, NotFound, Refused
from lessons.hook import bundle
from lessons.inject.notes import question
from lessons.promote.decide import settle
from lessons.promote.first_lessons import BEST, FirstLesson, begin_unseen, right_as_they_stand, taken_before
from lessons.promote.publish.build import publish
from lessons.promote.queue import export
from lessons.promote.review_case import Case, number_waiting, waiting
from lessons.promote.starter import StarterMatches, documents, starter_matches
from lessons.scan.run import Options, run
from lessons.scan.scan import Coverage
from lessons.store import lesson_file
from lessons.store import settings as stored_settings
from lessons.store.history.history import History
from lessons.store.state import SetUp, set_up_project
from lessons.store.state_paths import mark_file, state_paths_of

Tell = Callable[[str], None]
MOST_SECONDS = 10.0  # for the sentence at the end
_RECOVERY = ("gh pr diff 7 --stat", "unknown flag: --stat", "gh pr diff 7 --name-only")  # an example
_MANY_FAILED = 20_000  # to test the starter lessons on so many may take seconds
PROTOCOL = (
    "When a call has failed and a later one shows the fix, the agent is asked for a note (a `#lesson` tag), at most"
    " three times a session. Nothing is used before you have reviewed it."
)


class Hook(NamedTuple):
    """Whether the agent has the hook now, and the message about it."""

    agent: str
    file: str
    installed: bool
    sentence: str


class May(NamedTuple):
    """What the user allows without being asked."""

    no_install: bool
    yes: bool
    foreign: bool  # the transcripts may come from another machine
    quiet: bool  # nobody can be asked


def found_sentence(found: FoundAgent) -> str:
    where = ", ".join(map(short_path, found.folders))
    return f"Found {found.title} ({where})."


def agents_to_hook(agents: Sequence[str], found: Sequence[FoundAgent]) -> list[str]:
    """Returns the agents to offer the hook for: those the user names, else those on this machine."""
    return [*agents] or [each.agent for each in found] or [DEFAULT_AGENT]


def offer_hook(home: str, agent: str, found: Sequence[FoundAgent], may: May, tell: Tell) -> Hook:
    """Adds the hook if the user agrees; with --yes only if the agent is installed and its own transcripts are read."""
    file, title = settings_file(agent), AGENTS[agent].title
    shown = short_path(file)
    later = f"run `lessons install --agent {agent}` to add it"
    if other := other_home(agent, file, home):
        return _of_other_home(home, agent, file, other, may, tell)
    if has_hook(agent, file):
        return _reported(tell, Hook(agent, file, True, f"{shown} already has the hook."))
    if not any(each.agent == agent for each in found):
        why = f"{title} not found on this machine. Once it is installed, {later}."
    elif may.no_install:
        why = f"The hook was not added to {shown} (--no-install): {later}."
    elif may.yes and may.foreign:
        why = f"With --yes and --path {shown} is not changed: {later}."
    elif not may.yes and may.quiet:
        why = f"No terminal to ask on, so {shown} is not changed: {later}."
    elif may.yes or _agrees(shown, tell):
        return _reported(tell, _install(home, agent, file))
    else:
        return Hook(agent, file, False, f"The hook was not added to {shown}: {later}.")
    return _reported(tell, Hook(agent, file, False, why))


def _agrees(shown: str, tell: Tell) -> bool:
    # On a line of its own: the question and its answer fit beside each other on a narrow terminal.
    tell("The hook runs at each tool call. `lessons uninstall` removes it.")
    return click.confirm(f"Add the hook to {shown}?", default=True)


def _of_other_home(home: str, agent: str, file: str, other: str, may: May, tell: Tell) -> Hook:
    """Leaves the hook as it is without a question: somebody uses the other data home."""
    works = f"The hook in {short_path(file)} works on {short_path(other)}, so lessons of {short_path(home)} do not fire"
    why = f"{works}. Run `lessons install --agent {agent}` to change it."
    if may.no_install or may.yes or may.quiet:
        return _reported(tell, Hook(agent, file, False, why))
    tell(f"{works}.")
    if click.confirm(f"Change it to {short_path(home)}?", default=False):
        return _reported(tell, _install(home, agent, file))
    return Hook(agent, file, False, why)


def _reported(tell: Tell, hook: Hook) -> Hook:
    tell(hook.sentence)
    return hook


def _install(home: str, agent: str, file: str) -> Hook:
    """Adds the hook; reports a settings file that cannot be changed, and init continues."""
    data_home()
    try:
        render.warn(install(Request(agent, file), home, False, render.warn).report.warnings)
        bundle.refresh()
        publish(home)
    except LessonsError as refused:
        return Hook(agent, file, has_hook(agent, file), str(refused))
    return Hook(agent, file, True, f"Added the hook to {short_path(file)}. It works in every new session.")


def read_history(home: str, options: Options, as_json: bool, tell: Tell) -> Coverage | None:
    """The coverage of a scan; None if another scan is running."""
    try:
        with render.progress(not as_json, "Reading", "bytes") as show:
            finished = run(home, options, lambda now: show(now.done, now.total, now.step), prove)
    except KeyboardInterrupt:
        render.note("\nWhat was read so far is saved. `lessons init` continues from there.")
        raise
    except Busy as busy:
        render.note(str(busy))
        return None
    if options.is_awaited:
        after_scan.start(home)
    coverage = finished.coverage
    render.warn([*(finished.rescue.lost if finished.rescue else []), *coverage.problems[:5]])
    if coverage.has_news or not os.path.exists(paths.candidates_file(home)):
        export(home)
    files, calls = coverage.files, coverage.calls
    if files.read:
        tell(f"{files.read:,} transcripts read: {calls['total']:,} tool calls, {calls['failed']:,} of them failed.")
    elif files.found:
        tell(f"{files.found:,} transcripts: nothing new since the last scan.")
    return coverage


def ask_protocol(home: str, hooks: Sequence[Hook], tell: Tell) -> None:
    """Asks once whether agents are asked for a note after a recovery, and shows the question with an example."""
    if not any(each.installed for each in hooks) or "lessonProtocol" in config.read_document(home):
        return
    tell("")
    tell(PROTOCOL)
    tell("It is asked like this:")
    for line in question("Bash", *_RECOVERY).splitlines():
        tell(f"    {line}")
    agreed = click.confirm("Ask agents for such notes?", default=True)
    stored_settings.set_value(home, "lessonProtocol", "recovery" if agreed else "false")


def _offer_learning(home: str, tell: Tell) -> int:
    """Offers to let the agent write lessons from what nothing answers; returns how many of them were accepted."""
    from lessons.agents.ask import can_ask
    from lessons.cli.verbs import learn
    from lessons.learn import dossier, sources
    from lessons.learn.offer import offer

    agent = learn.preferred()
    if not can_ask(agent):
        return 0
    with History.for_reading(home) as history:
        found = offer(history)
    if not found.mistakes:
        return 0
    before = len(lesson_file.read(home).lessons())

    def made() -> list[dossier.Dossier]:
        with History.for_reading(home) as history:
            return dossier.dossiers(history, sources.waiting(history), sources.answering(history)[0])

    tell("")
    tell(
        f"Your history has {many(found.failures, 'failure')} that nothing answers yet. Let {AGENTS[agent].title}"
        f" write lessons from them? About {found.tokens:,} tokens, {many(found.minutes, 'minute')}; without secrets,"
        " and every answer is tested on your history."
    )
    if learn.may_send(made):
        try:
            learn.converse(home, made(), agent)
            learn.decide(home)
        except Refused as refused:  # init goes on without it
            render.note(str(refused))
    return len(lesson_file.read(home).lessons()) - before


class Made(NamedTuple):
    """New lessons, those of earlier runs, how many candidates are left, and why."""

    begun: list[FirstLesson]
    before: list[str]
    waiting: int
    starter: StarterMatches
    sentence: str = ""
    to_tend: int = 0  # lessons that could be changed, for what they did
    learned: int = 0  # lessons that the agent wrote and the person accepted


def first_lessons(home: str, settings: Config, yes: bool, quiet: bool, tell: Tell) -> Made:
    """Starter lessons that the history speaks for, then the best candidates; with --yes up to five in all."""
    settle(home)  # interrupted decisions are finished before promotions are counted
    before = taken_before(home)
    with History.for_reading(home) as history:
        if history.calls.count_failed() >= _MANY_FAILED:
            tell("Testing the starter lessons on your failed calls…")
        matches = starter_matches(home, history)
    learned = 0
    if yes:
        begun = begin_unseen(home, settings, _cases(home, settings), matches.found, BEST - len(before))
    elif quiet:
        begun = []
    else:
        begun = _asked(home, settings, matches, tell)
        learned = _offer_learning(home, tell)
    publish(home)  # also where no lesson was added: the hook and `lessons doctor` need a manifest
    from lessons.ledger.tend import proposals  # loaded only now: the first screen need not wait for it

    left = number_waiting(home, settings)
    why = _why_not_more(yes, quiet, len(begun) + len(before), left)
    return Made(begun, before, left, matches, why, len(proposals(home)), learned)


def _cases(home: str, settings: Config) -> list[Case]:
    return waiting(home, settings, everything=True).cases


def _asked(home: str, settings: Config, matches: StarterMatches, tell: Tell) -> list[FirstLesson]:
    try:
        begun = starter.offer(home, matches, tell)
        cases = _cases(home, settings)  # read only now: the first screen need not wait for them
        best = list(islice(right_as_they_stand(home, settings, cases), BEST))
        if best:
            need = "needs no edit" if len(best) == 1 else "need no edit"
            offered = f"{len(best)} of the {many(len(cases), 'candidate')} in your history {need}; best evidence first"
            tell(f"{offered}. Press ? for help, q to quit.")
        walk = Walk(home, best)
        walk.run()
    except KeyboardInterrupt:
        render.note("\nYour decisions are saved. `lessons review` continues from there.")
        raise
    file = lesson_file.read(home)
    return begun + [FirstLesson(file.find(slug), case, "") for case, slug in walk.promoted()]


def _why_not_more(yes: bool, quiet: bool, made: int, left: int) -> str:
    if not left or made >= BEST:
        return ""
    if yes:
        return "The other candidates need an edit: run `lessons review`."
    return "No terminal to decide on. Run `lessons init --yes` to put the best five into shadow." if quiet else ""


def headline(home: str, settings: Config, quiet: bool) -> str:
    """What lessons would have caught so far; empty if no mistake was repeated, or where it takes too long to say."""
    from lessons.replay.replay import headline_for  # loaded only now: the first screen need not wait for it

    try:
        with render.progress(not quiet, "Replaying", "sessions") as watch:
            return headline_for(home, settings, watch, MOST_SECONDS)
    except NotFound:  # nothing was ever read
        return ""


class Summary(NamedTuple):
    """What is printed at the end."""

    agents: list[FoundAgent]
    hooks: list[Hook]
    coverage: Coverage | None
    made: Made
    protocol: str | bool
    was_asked: bool = False  # about the notes after a recovery, and about learning
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
        if any(each.installed for each in self.hooks) and self.protocol and not self.was_asked:
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
        if self.made.learned:
            lines.append(f"{many(self.made.learned, 'lesson')} that your agent wrote.")
        number = len(begun) + len(before) + self.made.learned
        if not number:
            lines.append("No lesson was created.")
        elif begun and all(each.record.get("stage") == "shadow" for each in begun):
            lines.append("In shadow, matches are logged and the agent sees nothing.")
        return [*lines, *self._starter(), *filter(None, [self.made.sentence])]

    def _starter(self) -> list[str]:
        """Returns how many starter lessons match, if nobody was asked about them."""
        found = self.made.starter.found
        is_taken = any(each.case is None for each in self.made.begun)
        return [f"{starter.headline(self.made.starter)}."] if found and not is_taken else []

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
        if self.made.waiting and not self.was_asked:
            lines.append("Let your agent write the rest: lessons learn")
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
        render.put(text, margin)
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


def set_up(as_json: bool) -> int:
    """Stores the state of this project's sessions in the project."""
    place = state_paths_of(data_home(), os.getcwd())
    # Only a repository needs a .gitignore.
    done = set_up_project(place, git_ignore=os.path.lexists(f"{place.root}/.git"))
    render.emit(as_json, _project_document(done), lambda: _print_project(done))
    return 0


def _project_document(done: SetUp) -> dict[str, object]:
    place = done.paths
    return {
        "root": place.root,
        "hooks": place.hooks,
        "state": place.state,
        "mark": mark_file(place.own),
        "already": done.already,
        "moved": len(done.moved),
        "ignored": done.ignored,
    }


def _print_project(done: SetUp) -> None:
    place = done.paths
    was = "was already set up: its" if done.already else "is set up: its"
    render.say(f"{place.root} {was} sessions keep their state in .claude/hooks and .claude/state.")
    if done.moved:
        files = "1 file was" if len(done.moved) == 1 else f"{len(done.moved)} files were"
        render.say(f"{files} moved there from {place.own}.")
    if done.ignored:
        render.say(f".gitignore has {len(done.ignored)} new lines, so that the state is not committed.")
    render.say(f"To undo it, delete {mark_file(place.own)}.")
