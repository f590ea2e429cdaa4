"""`lessons scan`: reads new transcripts into the history, and starts what is left to do after a scan."""

import os
import sys
import time
import traceback
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from lessons import config, paths
from lessons.candidate import WRITTEN
from lessons.cli import render
from lessons.cli.options import data_home, noun, whose_transcripts
from lessons.errors import Busy, LessonsError, Refused
from lessons.hook import background
from lessons.scan.run import Finished, Options, is_due, run
from lessons.scan.scan import OUTCOMES, Coverage
from lessons.store import fired, logs
from lessons.store.history import backups
from lessons.store.history.history import History

if TYPE_CHECKING:
    from lessons.promote.candidate import Candidate

# How long a scan prepares triggers for later verbs.
_SECONDS_IN_FOREGROUND = 1.0
_SECONDS_IN_BACKGROUND = 60.0
_PREPARING = "prepare"  # a mark that is set when a process is started for it
_MOST_PROBLEMS = 10


@noun("scan", "Read new transcripts", {"candidates": "candidates:command", "promote": "promote:by_number"})
@click.option("--path", "folders", multiple=True, metavar="DIR", help="Read below this folder (repeatable).")
@whose_transcripts
@click.option("--full", is_flag=True, help="Read everything again; nothing is counted twice.")
@click.option("--dry-run", is_flag=True, help="Show what would be found; store nothing.")
@click.option("--auto", is_flag=True, help="For hooks: scan only when it is due, and print nothing.")
@click.option("--finish", is_flag=True, help="For scans: back up and prepare what is left, and print nothing.")
@render.json_option
def command(
    folders: tuple[str, ...], agents: tuple[str, ...], full: bool, dry_run: bool, auto: bool, finish: bool
) -> int:
    """Read new transcripts into the history: every tool call of your agents and its outcome.

    Reads only what is new since the last scan. Without --path it reads the folders of every agent on this machine, or
    the folders in the setting scanPaths. Which agent wrote a file is recognised by its content. Secrets are removed
    before anything is stored. It can be interrupted at any time and continues from there.
    """
    if "" in folders:
        raise Refused("--path is empty: give a folder with transcripts.")
    if finish:
        _finish()
        return 0
    awaited = not auto and is_awaited()
    processes = 1 if auto else None
    options = Options([os.path.abspath(each) for each in folders], agents, full, dry_run, processes, awaited)
    if auto:
        _in_background(options)
        return 0
    return _in_foreground(options)


def prove(history: History) -> list[str]:
    """Updates what lessons did, at the end of every scan; returns what could not be done."""
    from lessons.prove.update import after_scan  # imported late: a scan that is not due needs none of it

    return after_scan(history)


def is_awaited() -> bool:
    """Whether a person waits for a scan; a program gets its result when everything is done."""
    return render.can_ask()


def _in_foreground(options: Options) -> int:
    home = paths.data_home() if options.dry_run else data_home()
    left: list[str] = []
    queue: list[Candidate] = []

    def then(history: History) -> None:
        if options.dry_run:
            from lessons.promote.queue import whole

            queue.extend(whole(history, config.load(home)))
        else:
            left.extend(prove(history))

    try:
        with render.progress("Reading", "bytes") as show:
            finished = run(home, options, lambda now: show(now.done, now.total, now.step), then)
    except KeyboardInterrupt:
        render.note("\nWhat was read so far is saved. The next scan continues from there.")
        raise
    except Busy as busy:
        render.note(str(busy))
        if render.is_json():
            render.emit({**Coverage().document(), "busy": True})
        return 0
    coverage = finished.coverage
    news = _news(home, options, coverage, queue)
    prepares = bool(coverage.mined) and not options.dry_run and not left
    if prepares and not (options.is_awaited and backups.is_large(home)):
        _prepare(home, _SECONDS_IN_FOREGROUND)
        prepares = False
    document = coverage.document()
    if options.dry_run:
        found = [each for each in queue if each.fingerprint in coverage.new_candidates]
        named = [{name: getattr(each, name) for name in ("fingerprint", "kind", "summary")} for each in found]
        document["candidates"] |= {"found": named}  # type: ignore[operator]
    if rescue := finished.rescue:
        document["rescue"] = {"aside": rescue.aside, "rows": rescue.rows, "lost": rescue.lost}
    render.warn([*left, *_rescued(finished), *coverage.problems[:_MOST_PROBLEMS]])
    if (more := len(coverage.problems) - _MOST_PROBLEMS) > 0:
        render.warn([f"{more} more files could not be read."])
    render.emit(document, lambda: render.say("\n".join([*_lines(coverage), *news])))
    if not render.is_json() and not coverage.files.found:
        render.note("No transcripts found. Give their folder with --path, or in the setting scanPaths.")
    if not render.is_json() and options.dry_run:
        render.note("Nothing was stored: this was a dry run.")
    if options.is_awaited and not options.dry_run:
        start_finishing(home, prepares)
        if coverage.new_candidates:
            _offer_tags(home, coverage.new_candidates)
    return 1 if coverage.problems else 0


def _offer_tags(home: str, new: Collection[str]) -> None:
    """Shows new tags that would be accepted as a review does; with the setting autoPromote they go into shadow."""
    from lessons.cli.verbs import promote, review  # loaded only now: most scans find no tag
    from lessons.promote import decide, review_case
    from lessons.promote.draft import Choice

    settings, refused, offered = config.load(home), 0, set()
    for tag, *others in decide.new_tags(home, settings, new)[: settings.max_candidates_per_scan]:
        if decide.preview(home, tag, Choice(), others).problems:
            refused += 1
        elif settings.auto_promote:
            done = promote.promotion_message(decide.promote(home, tag, Choice(seen=False), others))
            session = "".join(tag.source_session_ids[-1:])
            render.say(f"{done} Written by the agent in session {session}; something it read may have prompted it.")
        else:
            offered.add(tag.fingerprint)
    if offered:
        cases = review_case.waiting(home, settings, everything=True, tier=WRITTEN).cases
        walk = review.Walk(home, [case for case in cases if case.candidate.fingerprint in offered])
        walk.run()
        review.finish(walk)
    if refused:
        what = f"{render.many(refused, 'new tag')} {'is not a lesson' if refused == 1 else 'are not lessons'}"
        render.note(f"{what} yet: `lessons candidates --tier 1 --all` lists them.")


@contextmanager
def _logging(home: str, about: str = "") -> Iterator[None]:
    """Logs a fault, with what it is about: in the background nobody reads the output."""
    try:
        yield
    except LessonsError as refused:
        logs.record_scan(home, f"{about}{refused}")
    except Exception:
        logs.record_scan(home, traceback.format_exc(limit=-3))


def _be_nice() -> None:
    if hasattr(os, "nice"):
        os.nice(10)


def _in_background(options: Options) -> None:
    """Scans in the background: in one process, with low priority."""
    try:
        home = paths.data_home()
    except LessonsError:
        return  # without a data home there is no log either
    with _logging(home):
        if not is_due(home):
            return
        _be_nice()
        left: list[str] = []
        finished = run(home, options, then=lambda history: left.extend(prove(history)))
        news = _news(home, options, finished.coverage)
        if not left:
            _prepare(home, _SECONDS_IN_BACKGROUND)
        # Record types are words from a transcript: `lessons forget` could not find their session in the log.
        logs.record_scan(home, " ".join([*_lines(finished.coverage, with_types=False), *news[-1:]]))
        for sentence in (*left, *finished.coverage.problems, *_rescued(finished)):
            logs.record_scan(home, sentence)


def start_finishing(home: str, prepares: bool = False) -> None:
    """Starts a process for what nobody waits for: a backup that is due, and triggers for later verbs."""
    is_backup_due = backups.is_due(home)
    begun = fired.last(home, _PREPARING)
    if prepares := prepares and (begun is None or abs(time.time() - begun) >= _SECONDS_IN_BACKGROUND):
        fired.touch(home, _PREPARING)
    if is_backup_due or prepares:
        started = background.start(home, "scan", sys.executable, "scan", "--finish")
        if is_backup_due and started is None:
            _back_up(home)


def _finish() -> None:
    """Does what `start_finishing` starts. The next scan meets faults of a backup and deals with them."""
    try:
        home = paths.data_home()
    except LessonsError:
        return
    _be_nice()
    _back_up(home)
    with _logging(home):
        _prepare(home, _SECONDS_IN_BACKGROUND)


def _back_up(home: str) -> None:
    with _logging(home, f"No backup of {paths.history_file(home)} was made: "):
        backups.make(home)


def _prepare(home: str, seconds: float) -> None:
    """Prepares triggers, so that `candidates`, `review` and `init` need not."""
    began = time.monotonic()
    from lessons.promote.queue import prepare  # loaded only now: most scans find nothing new

    prepare(home, seconds - (time.monotonic() - began))


def _news(home: str, options: Options, coverage: Coverage, found: "Sequence[Candidate]" = ()) -> list[str]:
    """Updates the file of candidates; returns what to print about new ones. A dry run has found the queue."""
    if not (coverage.has_news or options.full or options.dry_run) and os.path.exists(paths.candidates_file(home)):
        return []
    from lessons.promote.queue import export, is_recurring

    queue = found if options.dry_run else export(home)
    new = [candidate for candidate in queue if candidate.fingerprint in coverage.new_candidates]
    new_or_recurring = coverage.new_candidates | coverage.recurring_candidates
    recurring = [each for each in queue if is_recurring(each) and each.fingerprint in new_or_recurring]
    # A dry run leaves nothing to list later: it names all that it found.
    announced = (new if options.dry_run else recurring)[: config.load(home).max_candidates_per_scan]
    lines = [render.cut(f"  {each.kind}: {each.problem}") for each in announced]
    if options.dry_run:
        return (
            [f"{render.many(len(new), 'new candidate')}, {len(recurring):,} in several sessions:", *lines]
            if new
            else []
        )
    return [*lines, *_announced(len(new), len(recurring))]


def _announced(new: int, recurring: int) -> list[str]:
    if new:
        several = f", {recurring:,} in several sessions" if recurring else ""
        verb = "lessons candidates" if recurring else "lessons candidates --all"
        return [f"{render.many(new, 'new candidate')}{several}: `{verb}` shows {'it' if new == 1 else 'them'}."]
    again = render.many(recurring, "mistake")
    return [f"{again} repeated in another session. `lessons candidates` shows what worked."] if recurring else []


def _rescued(finished: Finished) -> list[str]:
    rescue = finished.rescue
    if not rescue:
        return []
    aside = f"The damaged history is kept as {rescue.aside}; a new one was created."
    return [aside, *rescue.lost] if rescue.aside else rescue.lost


def _lines(coverage: Coverage, with_types: bool = True) -> list[str]:
    """Returns the summary of a scan in three lines; leaves out unusual counts that are zero."""
    files, calls = coverage.files, coverage.calls
    rest = {"unreadable": files.unreadable, "of other agents": files.foreign}
    first = f"{render.many(files.found, 'file')}: {files.read:,} read, {files.unchanged:,} unchanged{_unusual(rest)}"
    strange = {"malformed": coverage.malformed, "duplicates": coverage.duplicates, "left out": coverage.left_out}
    second = f"{render.many(coverage.records, 'record')} in {render.size(coverage.bytes)}{_unusual(strange)}"
    if types := sorted(coverage.unknown_types.items()):
        named = ", ".join(f"{name} {number:,}" for name, number in types[:8]) if with_types else len(types)
        second += f"; unknown types: {named}"
    if len(coverage.agents) > 1:
        first += f" ({', '.join(f'{agent} {number:,}' for agent, number in sorted(coverage.agents.items()))})"
    outcomes = {outcome: calls[outcome] for outcome in OUTCOMES}
    third = f"{render.many(calls['total'], 'tool call')}{_unusual(outcomes)}"
    if files.found and not files.read and not coverage.problems:
        return [f"{first}: nothing new."]
    return [f"{first}.", f"{second}.", f"{third}. {coverage.seconds:.1f} s."]


def _unusual(counts: dict[str, int]) -> str:
    return "".join(f", {number:,} {name}" for name, number in counts.items() if number)
