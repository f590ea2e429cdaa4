"""`lessons init`: hooks, history and first lessons, one step after the other; or the state of one project."""

import os
import shlex
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import click

from lessons import config, paths
from lessons.agents.found import FoundAgent, found_agents
from lessons.agents.table import AGENTS, DEFAULT_AGENT
from lessons.cli import render, starter
from lessons.cli.candidate_text import counts_of, short_path
from lessons.cli.options import data_home, whose_transcripts
from lessons.cli.render import many
from lessons.cli.switch_on import PROTOCOL, Asked, Hook, switch_on
from lessons.cli.verbs import scan
from lessons.config import Config
from lessons.errors import Busy, Refused
from lessons.promote.decide import settle
from lessons.promote.first_lessons import BEST, FirstLesson, begin_unseen, of_case, right_as_they_stand, taken_before
from lessons.promote.publish.build import publish
from lessons.promote.queue import export
from lessons.promote.review_case import number_waiting, waiting
from lessons.promote.starter import StarterMatches, documents, guards, starter_matches
from lessons.scan.run import Options, refuse_unknown, run
from lessons.scan.scan import Coverage
from lessons.store import lesson_file
from lessons.store.history.history import History
from lessons.store.state import set_up_project
from lessons.store.state_paths import mark_file, root_of, state_paths_of

# What the end of `init` needs is imported there: the first screen need not wait for it.

_MANY_FAILED = 20_000  # to test the starter lessons on so many may take seconds


class Made(NamedTuple):
    """New lessons, those of earlier runs, how many candidates are left, and why."""

    begun: list[FirstLesson]
    before: list[str]
    waiting: int
    starter: StarterMatches
    sentence: str = ""
    to_tend: int = 0  # lessons that could be changed, for what they did
    learned: int = 0  # lessons that the agent wrote and the person accepted


@click.command("init", short_help="Start: read your history and make the first lessons")
@click.option("--yes", is_flag=True, help="Do not ask; put the best five lessons into shadow.")
@click.option("--path", "folders", multiple=True, metavar="DIR", help="Read below this folder (repeatable).")
@whose_transcripts
@click.option("--no-install", is_flag=True, help="Do not change the agent's settings.")
@click.option("--project", is_flag=True, help="Only store the state of this project's sessions in the project.")
@render.json_option
def command(yes: bool, folders: tuple[str, ...], agents: tuple[str, ...], no_install: bool, project: bool) -> None:
    """Start: read your history and make the first lessons. Safe to run again.

    Finds your agents, offers to add the hook to their settings, and reads their transcripts. Then it offers starter
    lessons that would have caught a failed call of yours, and guards against losing work. Then it shows the five
    candidates with the best evidence that need no edit. What you accept is stored at once. Last, it offers to let
    your agent write lessons from the failures that are left; nothing is sent unless you say yes.

    With --yes it does not ask. The best five, including starter lessons, start in shadow: matches are logged, the
    agent sees nothing. With --path the hook is not added.

    With --project it does only this: it stores the state of this project's sessions (docs/STATE.md) in
    .claude/hooks and .claude/state of the project instead of the data home. It creates the folders, updates
    .gitignore and moves existing state. To undo it, delete the file project.json that it names; the two folders
    stay until you delete them.
    """
    if project:
        if yes or folders or no_install:
            raise click.UsageError("--project cannot be combined with --yes, --path or --no-install.")
        _set_up_project()
        return
    if "" in folders:
        raise Refused("--path is empty: give a folder with transcripts.")
    refuse_unknown(agents)
    is_awaited = scan.is_awaited()
    options = Options([os.path.abspath(folder) for folder in folders], agents, is_awaited=is_awaited)
    init = Init(paths.data_home(), options, yes, no_install)
    hooks = init.switch_on()
    data_home()  # created only now: an init that is left at its first question leaves nothing behind
    coverage = init.read_history()
    settings = config.load(init.home)
    made = init.first_lessons(settings)
    steps = [*init.next_steps(hooks, coverage, made)]
    if not render.is_json():
        render.say("\n".join([*_outcome(made), *steps]))
        if settings.lesson_protocol and not init.is_asking and any(hook.installed for hook in hooks):
            render.put(PROTOCOL)
            render.say("Turn that off:   lessons config set lessonProtocol false")
    headline = _closing(made.begun)
    if render.is_json():
        document = {**init.document(hooks, coverage, made), "lessonProtocol": settings.lesson_protocol, "next": steps}
        render.emit({**document, "headline": headline})
    elif headline:
        render.say("")
        render.put(headline)


class Init:
    """The steps; each asks what it needs to know, and says what it did."""

    def __init__(self, home: str, options: Options, yes: bool, no_install: bool) -> None:
        self.home = home
        self.options = options
        self.yes = yes
        self.no_install = no_install
        self.is_quiet = not render.can_ask()
        self.is_asking = not (self.is_quiet or yes)
        self.found: list[FoundAgent] = found_agents()
        for each in self.found:
            self.tell(f"Found {each.title} ({', '.join(map(short_path, each.folders))}).")

    def tell(self, text: str) -> None:
        if not render.is_json():
            render.put(text)

    def agents_to_hook(self) -> Sequence[str]:
        """Returns the agents to offer the hook for: those the user names, else those on this machine."""
        return self.options.agents or [each.agent for each in self.found if each.agent] or [DEFAULT_AGENT]

    def switch_on(self) -> list[Hook]:
        asked = Asked(self.no_install, self.yes, bool(self.options.folders), self.is_quiet)
        return switch_on(self.home, self.agents_to_hook(), self.found, asked)

    def read_history(self) -> Coverage | None:
        """Returns the coverage of a scan; None if another scan is running."""
        try:
            with render.progress("Reading", "bytes") as show:
                finished = run(self.home, self.options, lambda now: show(now.done, now.total, now.step), scan.prove)
        except KeyboardInterrupt:
            render.note("\nWhat was read so far is saved. `lessons init` continues from there.")
            raise
        except Busy as busy:
            render.note(str(busy))
            return None
        if self.options.is_awaited:
            scan.start_finishing(self.home)
        coverage = finished.coverage
        render.warn([*(finished.rescue.lost if finished.rescue else []), *coverage.problems[:5]])
        if coverage.has_news or not os.path.exists(paths.candidates_file(self.home)):
            export(self.home)
        files, calls = coverage.files, coverage.calls
        if files.read:
            read = f"{files.read:,} transcripts read"
            self.tell(f"{read}: {calls['total']:,} tool calls, {calls['failed']:,} of them failed.")
        elif files.found:
            self.tell(f"{files.found:,} transcripts: nothing new since the last scan.")
        return coverage

    def first_lessons(self, settings: Config) -> Made:
        """Starter lessons that the history speaks for, then the best candidates; with --yes up to five in all."""
        home = self.home
        settle(home)  # interrupted decisions are finished before promotions are counted
        before = taken_before(home)
        with History.for_reading(home) as history:
            if history.calls.count_failed() >= _MANY_FAILED:
                self.tell("Testing the starter lessons on your failed calls…")
            matches = starter_matches(home, history)
        begun: list[FirstLesson] = []
        learned, why = 0, ""
        if self.yes:
            cases = waiting(home, settings, everything=True).cases
            begun = begin_unseen(home, settings, cases, matches.found, BEST - len(before))
            why = "The other candidates need an edit: run `lessons review`."
        elif self.is_quiet:
            why = "No terminal to decide on. Run `lessons init --yes` to put the best five into shadow."
        else:
            begun = self._decide(settings, matches)
            learned = self._offer_learning()
        publish(home)  # also where no lesson was added: the hook and `lessons doctor` need a manifest
        from lessons.prove.tend import proposals

        left = number_waiting(home, settings)
        if not left or len(begun) + len(before) >= BEST:
            why = ""
        return Made(begun, before, left, matches, why, len(proposals(home)), learned)

    def _decide(self, settings: Config, matches: StarterMatches) -> list[FirstLesson]:
        from lessons.cli.verbs.review import Walk

        try:
            begun = starter.offer_matches(self.home, matches)
            with History.for_reading(self.home) as history:
                found = guards(self.home, history, [each.slug for each in matches.found])
            begun += starter.offer_guards(self.home, found)
            cases = waiting(self.home, settings, everything=True).cases
            best = list(islice(right_as_they_stand(self.home, settings, cases), BEST))
            if best:
                need = "needs no edit" if len(best) == 1 else "need no edit"
                offered = f"{len(best)} of the {many(len(cases), 'candidate')} in your history {need}"
                self.tell(f"{offered}; best evidence first. Press ? for help, q to quit.")
            walk = Walk(self.home, best)
            walk.run()
        except KeyboardInterrupt:
            render.note("\nYour decisions are saved. `lessons review` continues from there.")
            raise
        return begun + [of_case(done.record, case, done.report) for case, done in walk.promoted()]

    def _offer_learning(self) -> int:
        """Offers to let the agent write lessons from what nothing answers; returns how many of them were accepted."""
        from lessons.agents.ask import can_ask
        from lessons.cli.verbs import learn
        from lessons.learn.offer import offer

        agent = learn.preferred()
        if not can_ask(agent):
            return 0
        with History.for_reading(self.home) as history:
            found = offer(history)
        if not found.mistakes:
            return 0
        before = len(lesson_file.read(self.home).lessons())
        click.echo()
        self.tell(
            f"Your history has {many(found.failures, 'failure')} that nothing answers yet. Let {AGENTS[agent].title}"
            f" write lessons from them? About {found.tokens:,} tokens, {many(found.minutes, 'minute')};"
            " without secrets, and every answer is tested on your history."
        )
        if learn.may_send(lambda: learn.dossiers_of(self.home)):
            try:
                learn.converse(self.home, learn.dossiers_of(self.home), agent)
                learn.decide(self.home)
            except Refused as refused:  # init goes on without it
                render.note(str(refused))
        return len(lesson_file.read(self.home).lessons()) - before

    def document(self, hooks: Sequence[Hook], coverage: Coverage | None, made: Made) -> dict[str, object]:
        return {
            "agents": [
                {"name": each.title, "folders": each.folders, "supported": bool(each.agent)} for each in self.found
            ],
            "hook": hooks[0]._asdict(),
            "hooks": [each._asdict() for each in hooks],
            "scan": coverage.document() if coverage else None,
            "starter": {
                "pack": made.starter.pack,
                "failedCalls": made.starter.failed_calls,
                "matches": documents(made.starter.found),
            },
            "lessons": [
                {
                    **each.record,
                    "fingerprint": each.case.candidate.fingerprint if each.case else None,
                    "starter": each.case is None,
                    "seen": _evidence(each),
                    "history": each.history,
                    "try": _try_line(each),
                }
                for each in made.begun
            ],
            "before": made.before,
            "waiting": made.waiting,
            "tend": made.to_tend,
        }

    def next_steps(self, hooks: Sequence[Hook], coverage: Coverage | None, made: Made) -> Iterator[str]:
        """Yields one line for each step, with a command to be copied."""
        shown = [(line, each) for each in made.begun if (line := _try_line(each))]
        if shown:
            line, each = min(shown, key=lambda pair: len(pair[0]))
            yield f"See one fire:    {line}"
            if each.record.get("stage") == "shadow":
                yield f"Activate it:     lessons edit {each.record['slug']} --stage active"
        yield from (f"Add the hook:    lessons install --agent {hook.agent}" for hook in hooks if not hook.installed)
        if not made.begun and (made.starter.found or not made.before):
            yield "Starter lessons: lessons add --starter"
        if made.waiting and not self.is_asking:
            yield "Let your agent write the rest: lessons learn"
        if made.waiting:
            yield f"Decide the rest: lessons review --all   ({many(made.waiting, 'candidate')} left)"
        if made.to_tend:
            from lessons.prove.tend import waiting as waiting_to_tend

            yield f"Tend lessons:    lessons tend   ({waiting_to_tend(made.to_tend)})"
        if line := _about_rules(self.home):
            yield line
        if coverage is not None and not coverage.files.found:
            yield "No transcripts found. Give their folder with --path."


def _about_rules(home: str) -> str:
    """Returns how many rules of this project can be checked, and how often they were broken."""
    from lessons.rules.files import found_files
    from lessons.rules.report import headline, report_of

    root = root_of(os.getcwd())
    return headline(report_of(home, found_files(root, os.path.expanduser("~")), root))


def _outcome(made: Made) -> Iterator[str]:
    """Yields what is printed about the lessons."""
    begun, before = made.begun, made.before
    # The user has seen what each of many starter lessons would have caught.
    named = [each for each in begun if each.case is None and len(begun) > BEST]
    yield ""
    if begun:
        yield f"{many(len(begun), 'new lesson')}:"
        if named:
            yield f"  {many(len(named), 'starter lesson')}   (`lessons list` names them)"
        for each in begun:
            if each not in named:
                yield f"  {each.record['slug']} ({each.record.get('stage', 'active')})"
                yield from (f"    {line}" for line in (_evidence(each), each.history) if line)
        yield ""
    if before:
        verb = "is" if len(before) == 1 else "are"
        yield f"{many(len(before), 'lesson')} from earlier runs {verb} still in use."
    if made.learned:
        yield f"{many(made.learned, 'lesson')} that your agent wrote."
    if not (begun or before or made.learned):
        yield "No lesson was created."
    elif begun and all(each.record.get("stage") == "shadow" for each in begun):
        yield "In shadow, matches are logged and the agent sees nothing."
    if made.starter.found and not any(each.case is None for each in begun):  # nobody was asked about them
        yield f"{starter.headline(made.starter)}."
    if made.sentence:
        yield made.sentence


def _closing(begun: Sequence[FirstLesson]) -> str:
    """Says how often the new lessons would have spoken up in the history; guards apart: nothing failed there."""
    lessons, guarding = [each for each in begun if not each.is_guard], [each for each in begun if each.is_guard]
    sentences = []
    if fired := sum(each.fired for each in lessons):
        disturbed = sum(each.disturbed for each in lessons)
        at_good = f"{disturbed:,} of them at good calls" if disturbed else "never at a good call"
        whose = "Your new lesson" if len(lessons) == 1 else f"Your {len(lessons)} new lessons"
        whose += f" would have spoken up {many(fired, 'time')} so far"
        sentences.append(f"{whose}, {at_good}.")
    if done := sum(each.fired for each in guarding):
        watching = f"{many(len(guarding), 'guard')} now watch{'es' * (len(guarding) == 1)} for"
        sentences.append(f"Your agents did {many(done, 'time')} what {watching}.")
    return " ".join(sentences)


def _evidence(begun: FirstLesson) -> str:
    return counts_of(begun.case.candidate, *begun.case.alike) if begun.case else "of the starter pack"


def _try_line(begun: FirstLesson) -> str:
    """Returns a `lessons try` command that shows it fire; empty if no command of the history does."""
    if begun.case:
        from lessons.cli.verbs.review import try_line

        return try_line(begun.case)
    return f"lessons try {shlex.quote(begun.example)}" if begun.example else ""


def _set_up_project() -> None:
    """Stores the state of this project's sessions in the project."""
    place = state_paths_of(data_home(), os.getcwd())
    # Only a repository needs a .gitignore.
    done = set_up_project(place, git_ignore=os.path.lexists(f"{place.root}/.git"))
    place, mark = done.paths, mark_file(done.paths.own)
    document = {
        **{name: getattr(place, name) for name in ("root", "hooks", "state")},
        "mark": mark,
        "already": done.already,
        "moved": len(done.moved),
        "ignored": done.ignored,
    }
    was = "was already set up: its" if done.already else "is set up: its"
    lines = [f"{place.root} {was} sessions keep their state in .claude/hooks and .claude/state."]
    if done.moved:
        lines.append(f"Moved {many(len(done.moved), 'file')} there from {place.own}.")
    if done.ignored:
        lines.append(f".gitignore has {len(done.ignored)} new lines, so that the state is not committed.")
    lines.append(f"To undo it, delete {mark}.")
    render.emit(document, lambda: render.say("\n".join(lines)))
