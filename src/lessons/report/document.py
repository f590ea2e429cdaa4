"""The nouns of the report: everything that the page shows, and what `lessons report --json` prints."""

from typing import Literal

import msgspec

from lessons.replay.cost import Cost

Stage = Literal["seen", "candidate", "active", "shown", "heeded"]


class Week(msgspec.Struct, rename="camel", frozen=True):
    """One calendar week, from Monday, in UTC."""

    start: str  # its Monday
    sessions: int = 0
    repeats: int = 0  # failed calls whose mistake another session made before
    prevented: int = 0  # a lesson was shown or stopped the call, and the mistake was not made
    wrong: int = 0  # false alarms, and calls that the user let pass
    activated: list[str] = []  # slugs of the lessons activated in it


class EffectRow(msgspec.Struct, rename="camel", frozen=True):
    """Failures per opportunity before and after a lesson was activated; below 0 means fewer failures."""

    slug: str
    summary: str
    before_failed: int
    before_calls: int
    after_failed: int
    after_calls: int
    difference: float | None  # None: not comparable
    low: float | None
    high: float | None
    verdict: str
    more_sessions: int  # about how many until there is a verdict


class FunnelStage(msgspec.Struct, rename="camel", frozen=True):
    """How many of the mistakes found reached this stage."""

    stage: Stage
    mistakes: int
    meaning: str


class Unsolved(msgspec.Struct, rename="camel", frozen=True):
    """A mistake that still recurs."""

    summary: str
    state: str  # why nothing stops it
    fingerprint: str  # of a candidate; empty for a lesson
    slug: str  # of a lesson; empty for a candidate
    times: int
    sessions: int
    projects: int
    calls_lost: int
    minutes_lost: float
    last_seen: str


class LessonRow(msgspec.Struct, rename="camel", frozen=True):
    """What one lesson did, counted over its opportunities; `lessons stats` has every outcome."""

    slug: str
    summary: str
    stage: str
    opportunities: int
    shown: int
    prevented: int  # the mistake was not repeated once the agent had read the lesson
    failed: int  # the mistake was made anyway
    wrong: int  # false alarms, and calls that you let pass


class CatchPeriod(msgspec.Struct, rename="camel", frozen=True):
    """The repeats of a week or a month, by when a lesson would have caught them."""

    start: str
    repeats: int
    at_call: int
    at_start: int
    at_error: int

    @property
    def missed(self) -> int:
        return self.repeats - self.at_call - self.at_start - self.at_error


class CatchRate(msgspec.Struct, rename="camel", frozen=True):
    """The replay over time."""

    unit: Literal["week", "month"]
    periods: list[CatchPeriod]
    repeats: int
    caught: int
    good_calls: int
    false_alarms: int
    skipped: str = ""  # why there was no replay


class HookHealth(msgspec.Struct, rename="camel", frozen=True):
    """When each hook event last ran, and what went wrong."""

    last_run: dict[str, str]
    faults: int
    newest_faults: list[str]


class Coverage(msgspec.Struct, rename="camel", frozen=True):
    """The data in the history."""

    files: int
    records: int
    malformed: int
    damaged_parts: int
    given_up: int  # segments that could not be mined
    sessions: int
    calls: int
    outcomes: dict[str, int]
    agents: dict[str, int]  # calls of each
    last_scan: str


class Totals(msgspec.Struct, rename="camel", frozen=True):
    """The figures at the top."""

    sessions: int
    calls: int
    repeats: int
    active_lessons: int
    shown: int
    prevented: int
    wrong: int


class Report(msgspec.Struct, rename="camel", frozen=True):
    """Depends only on the data home: two runs give the same document."""

    since: str  # day of the first session
    until: str  # day of the last record
    totals: Totals
    weeks: list[Week]
    cost: Cost  # of the repeats in these weeks
    effects: list[EffectRow]
    pooled: EffectRow | None
    together: list[str]  # what all lessons changed, in the words of `lessons stats`
    funnel: list[FunnelStage]
    other_lessons: int  # active lessons about no mistake of the history
    unsolved: list[Unsolved]
    lessons: list[LessonRow]
    catch_rate: CatchRate
    hook: HookHealth
    coverage: Coverage
