"""Changes in, a complete report document out, without a data home."""

import msgspec

from lessons.replay.cost import Cost
from lessons.report.document import (
    CatchPeriod,
    CatchRate,
    Coverage,
    EffectRow,
    FunnelStage,
    HookHealth,
    LessonRow,
    Report,
    Totals,
    Unsolved,
    Week,
)

EMPTY = Report(
    since="", until="", totals=Totals(0, 0, 0, 0, 0, 0, 0), weeks=[], cost=Cost(), effects=[], pooled=None, together=[],
    funnel=[], other_lessons=0, unsolved=[], lessons=[], catch_rate=CatchRate("week", [], 0, 0, 0, 0),
    hook=HookHealth({}, 0, []), coverage=Coverage(0, 0, 0, 0, 0, 0, 0, {}, {}, ""),
)  # fmt: skip

_FUNNEL = [FunnelStage("seen", 10, "mistakes found"), FunnelStage("active", 0, "a lesson is about it")]
_WEEKS = [Week("2026-02-02", 5, 3)]


def effect_row(
    slug: str = "stash", low: float | None = -0.6, high: float | None = -0.2, **changes: object
) -> EffectRow:
    middle = None if low is None or high is None else (low + high) / 2
    row = EffectRow(slug, f"About {slug}", 12, 20, 4, 30, middle, low, high, "helps", 0)
    return msgspec.structs.replace(row, **changes)


def full(text: str = "Stash with -u") -> Report:
    """A report in which every section has something, all of it in these words."""
    return msgspec.structs.replace(
        EMPTY,
        since="2026-02-02",
        until="2026-02-20",
        totals=Totals(12, 340, 5, 2, 9, 4, 1),
        weeks=[*_WEEKS, Week("2026-02-09", 4, 2, 1, 0, [text]), Week("2026-02-16", 3, 0, 3, 1, [text, "b"])],
        cost=Cost(5, 9, 120_000, 100_000, 1.25, 300.0),
        effects=[effect_row(text), effect_row("none", None, None, verdict="not enough data", more_sessions=7)],
        pooled=effect_row("all lessons"),
        together=["2 lessons compared: -20 mistakes per 100 matches (95 % range: -40 to +5)"],
        funnel=[*_FUNNEL],
        other_lessons=1,
        unsolved=[Unsolved(text, "no lesson yet", "fix-1", "", 4, 2, 1, 6, 1.5, "2026-02-19")],
        lessons=[LessonRow(text, text, "active", 9, 9, 4, 2, 1), LessonRow("quiet", "", "shadow", 3, 0, 0, 0, 0)],
        catch_rate=CatchRate("week", [CatchPeriod("2026-02-09", 4, 1, 1, 1)], 4, 3, 300, 2),
        hook=HookHealth({"PreToolUse": "2026-02-20 10:00 UTC"}, 1, [text]),
        coverage=Coverage(7, 900, 1, 1, 1, 12, 340, {"ok": 300, "failed": 40}, {text: 339, "codex": 1}, "2026-02-20"),
    )  # fmt: skip
