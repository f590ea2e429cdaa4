"""The steps of `lessons init`; each returns what was done."""

import os
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from lessons import paths
from lessons.capture.coverage import Coverage
from lessons.capture.run import Options, run
from lessons.cli import after_scan, render
from lessons.cli.candidate_text import many
from lessons.cli.init import starter
from lessons.cli.progress_bar import watching as replaying
from lessons.cli.review.walk import Walk
from lessons.cli.scan_progress import watching
from lessons.cli.verbs.scan import prove
from lessons.config import Config
from lessons.errors import Busy, NotFound
from lessons.promote.first_lessons import BEST, FirstLesson, begin_unseen, right_as_they_stand, taken_before
from lessons.promote.promotion.promotion import settle
from lessons.promote.publish.publish import publish
from lessons.promote.queue.queue import export
from lessons.promote.review.case import Case
from lessons.promote.review.cases import number_waiting, waiting
from lessons.promote.starter_matches import StarterMatches, starter_matches
from lessons.store import lesson_file
from lessons.store.history.history import History

Tell = Callable[[str], None]
MOST_SECONDS = 10.0  # for the sentence at the end
_MANY_FAILED = 20_000  # to test the starter lessons on so many may take seconds


def read(home: str, options: Options, as_json: bool, tell: Tell) -> Coverage | None:
    """The coverage of a scan; None if another scan is running."""
    try:
        with watching(not as_json) as watch:
            finished = run(home, options, watch, prove)
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


class Made(NamedTuple):
    """New lessons, those of earlier runs, how many candidates are left, and why."""

    begun: list[FirstLesson]
    before: list[str]
    waiting: int
    starter: StarterMatches
    sentence: str = ""
    to_tend: int = 0  # lessons that could be changed, for what they did


def lessons(home: str, settings: Config, yes: bool, quiet: bool, tell: Tell) -> Made:
    """Starter lessons that the history speaks for, then the best candidates; with --yes up to five in all."""
    settle(home)  # interrupted decisions are finished before promotions are counted
    before = taken_before(home)
    with History.for_reading(home) as history:
        if history.calls.count_failed() >= _MANY_FAILED:
            tell("Testing the starter lessons on your failed calls…")
        matches = starter_matches(home, history)
    if yes:
        begun = begin_unseen(home, settings, _cases(home, settings), matches.found, BEST - len(before))
    elif quiet:
        begun = []
    else:
        begun = _asked(home, settings, matches, tell)
    publish(home)  # also where no lesson was added: the hook and `lessons doctor` need a manifest
    from lessons.ledger.tend import proposals  # loaded only now: the first screen need not wait for it

    left = number_waiting(home, settings)
    why = _why_not_more(yes, quiet, len(begun) + len(before), left)
    return Made(begun, before, left, matches, why, len(proposals(home)))


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
    from lessons.replay.headline import headline_for  # loaded only now: the first screen need not wait for it

    try:
        with replaying(not quiet) as watch:
            return headline_for(home, settings, watch, MOST_SECONDS)
    except NotFound:  # nothing was ever read
        return ""
