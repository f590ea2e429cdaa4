"""Sessions in, the result of replaying their history out."""

from pathlib import Path

from lessons import config
from lessons.candidate import FAILURE
from lessons.replay.replay import Walk, failures_of, repeats_in, replay
from lessons.replay.report import Outcome, ReplayReport
from lessons.store.history.history import History
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session


def scanned(folder: Path, *sessions: Session) -> str:
    """A data home that has read them."""
    folder.mkdir(exist_ok=True)
    home = ScannedHome(folder)
    for session in sessions:
        session.write(home.transcripts)
    home.scan()
    return home.path


def replayed(folder: Path, *sessions: Session) -> ReplayReport:
    home = scanned(folder, *sessions)
    with History.for_reading(home) as history:
        return replay(history, config.load(home, {}))


def outcomes(folder: Path, *sessions: Session) -> dict[str, Outcome]:
    """By failed call, what became of each repeat."""
    home = scanned(folder, *sessions)
    with History.for_reading(home) as history:
        failures, spans = failures_of(history.candidates.of_tier(FAILURE)), history.sessions.spans()
        repeats = repeats_in(failures, {each.session_id: each for each in spans})
        walk = Walk(history, config.load(home, {}), failures)
        found = [outcome for session in walk.through(spans, repeats, repeats) for outcome in session.outcomes]
    return {outcome.repeat.tool_use_id: outcome for outcome in found}
