"""`lessons stats`: shows what each lesson and memory did, prevented and got wrong."""

import shutil
from collections.abc import Mapping, Sequence

import click
import msgspec

from lessons import config, paths
from lessons.cli import render
from lessons.cli.options import Moment, complete_slug, of_project
from lessons.errors import NotFound
from lessons.ledger import stats
from lessons.ledger.stats import LessonStats, Stats, Summary, stats_of, summary_of
from lessons.ledger.tend import counts, feedback_on
from lessons.opportunity import Opportunity
from lessons.prove import effect
from lessons.prove.effect import Effect
from lessons.prove.tally import Tally, Week
from lessons.prove.tend import acts_as
from lessons.store import lesson_file
from lessons.store.decisions import Note

_BARS = "▁▂▃▄▅▆▇█"
_MOST_LESSONS = 12
_COLUMNS = ("lesson", "shown", "prevented", "wrong", "missed", "effect")
_MEMORY = "(memory)"  # no slug has parentheses
_SLUG_WIDTH = 22  # on a terminal of 80 columns; a wider one has room for more
_TABLE_WIDTH = 72
_NOTHING_SCANNED = "Nothing to show yet. Run `lessons scan` first."
_NEVER_FIRED = "No lesson has matched a call yet, and nothing was recalled. `lessons doctor` checks that the hook runs."
_NOT_COUNTED = "Not counted yet: {} of the hook. Run `lessons scan` first."


def all_lessons(found: Stats, together: Sequence[str] = ()) -> None:
    """Prints all lessons; `together`: lines about all of them at once."""
    recalls = found.memory.tally if found.memory else Tally()
    if not found.lessons and not recalls.opportunities:
        render.note(_why_nothing(found, _NEVER_FIRED))
        return
    if render.is_terminal():
        since = f" since {found.since[:10]}" if found.since else ""
        render.say(f"What lessons did{since}: {_headline(found.totals)}.")
        for line in _details(found.totals):
            render.say(line)
        if found.weeks:
            render.say(_by_week(found.weeks))
        for line in together:
            render.say(line)
        render.say("")
    # All of them in a pipe, as many as fit on a terminal.
    some = found.lessons[: _MOST_LESSONS - len(together)] if render.is_terminal() else found.lessons
    rows = [_row(one) for one in some]
    if recalls.opportunities:
        rows.append((_MEMORY, *_numbers(recalls), "·"))
    if render.is_terminal() and shutil.get_terminal_size().columns < _TABLE_WIDTH:
        for slug, *values in rows:
            render.say(slug)
            pairs = zip(_COLUMNS[1:], values, strict=True)
            render.say("  " + ", ".join(f"{name} {value}" for name, value in pairs))
    else:
        render.table(_COLUMNS, rows, _NEVER_FIRED)
    if render.is_terminal():
        more = len(found.lessons) - len(some)
        render.note(f"{render.many(more, 'more lesson')}: `lessons stats --json`." if more else "")
        if found.uncounted:
            render.note(_NOT_COUNTED.format(render.many(found.uncounted, "event")))
        render.note("For one lesson: `lessons stats SLUG`. To explain the columns: `lessons stats --help`.")


def _why_nothing(found: Stats, never: str) -> str:
    if found.uncounted:
        return _NOT_COUNTED.format(render.many(found.uncounted, "event"))
    return never if found.is_scanned else _NOTHING_SCANNED


def one_lesson(found: Stats, slug: str, feedback: Mapping[str, int]) -> None:
    """Prints one lesson; `feedback`: the numbers of good and bad verdicts."""
    if not found.lessons:
        render.note(_why_nothing(found, f"{slug} has not matched a call yet."))
        return
    one = found.lessons[0]
    pairs: list[tuple[str, object]] = [("lesson", one.slug), ("summary", one.lesson.summary)]
    pairs += [("did", _headline(one.tally))]
    pairs += [("", line) for line in _details(one.tally)]
    pairs += [("before it existed", _before(one)), ("effect", _effect(one))]
    verdicts = [f"{feedback[verdict]:,} {verdict}" for verdict in ("good", "bad") if feedback[verdict]]
    pairs.append(("your feedback", ", ".join(verdicts)))
    if one.weeks:
        pairs.append(("by week", _by_week(one.weeks)))
    latest = [each for each in one.opportunities if each.decision != "none" and each.time >= found.since][-5:]
    pairs += [
        ("latest" if not number else "", f"{each.time[:10]} {each.decision}: {_came_of(each)}")
        for number, each in enumerate(reversed(latest))
    ]
    render.fields([(name, value) for name, value in pairs if value])


_SHORT = {"helps": "helps", "harms": "harms", "no effect shown": "none seen"}
_WORDS = {
    "heeded": "heeded",
    "ignoredFailed": "ignored, and the mistake was made",
    "falseAlarm": "false alarm",
    "stoppedCorrected": "stopped, then corrected",
    "stoppedRepeated": "stopped, then repeated",
    "overridden": "overridden by you",
    "heldOut": "outcome unknown",
    "notShown": "outcome unknown",
    "missed": "the mistake was made and nothing matched",
    "notDelivered": "not delivered",
    "unknown": "outcome unknown",
}


def _came_of(each: Opportunity) -> str:
    if each.outcome in ("notShown", "heldOut") and each.failed is not None:
        return "the mistake was made" if each.failed else "the call was right"
    return _WORDS.get(each.outcome, each.outcome)


def _headline(totals: Tally) -> str:
    parts = [f"shown {_times(totals.shown)}", f"prevented {render.many(totals.prevented, 'mistake')}"]
    return ", ".join([*parts, f"wrong {_times(totals.wrong)}"])


def _details(totals: Tally) -> list[str]:
    """Returns at most two lines; leaves out zeros."""
    acted = {
        "heeded": totals.heeded,
        "corrected after a stop": totals.stopped_corrected,
        "ignored and failed": totals.ignored_failed,
        "repeated after a stop": totals.stopped_repeated,
        "false alarms": totals.false_alarms,
        "overridden": totals.overridden,
    }
    other = {
        "missed": totals.missed,
        "held out": totals.held_out,
        "not delivered": totals.not_delivered,
        "unknown": totals.unknown,
    }
    if in_shadow := totals.shadow_failed + totals.shadow_fine:
        other[f"in shadow ({totals.shadow_failed:,} made the mistake)"] = in_shadow
    lines = [", ".join(f"{number:,} {what}" for what, number in each.items() if number) for each in (acted, other)]
    return [f"  {line}" for line in lines if line]


def _by_week(weeks: Sequence[Week]) -> str:
    shown, mistakes = ([getattr(week, name) for week in weeks] for name in ("shown", "mistakes"))
    span = f"{weeks[0].begins} to {weeks[-1].begins}" if len(weeks) > 1 else weeks[0].begins
    return f"shown {sparkline(shown)}  mistakes {sparkline(mistakes)}  weeks of {span}"


def sparkline(numbers: Sequence[int]) -> str:
    """Returns one bar per number; a number above zero is never drawn as zero."""
    highest = max(numbers, default=0)
    if not highest:
        return _BARS[0] * len(numbers)
    last = len(_BARS) - 1
    return "".join(_BARS[max(number > 0, number * last // highest)] for number in numbers)


def _row(one: LessonStats) -> tuple[str, ...]:
    room = max(_SLUG_WIDTH, _SLUG_WIDTH + shutil.get_terminal_size().columns - 80)
    slug = one.slug if len(one.slug) <= room or not render.is_terminal() else one.slug[: room - 1] + "…"
    return (slug, *_numbers(one.tally), _short_effect(one.effect))


def _numbers(found: Tally) -> list[str]:
    numbers = (found.shown, found.prevented, found.wrong, found.missed)
    return [f"{number:,}" if number else "·" for number in numbers]


def _short_effect(effect: Effect) -> str:
    found = effect.difference
    if effect.verdict == "not enough data" or found is None:
        return f"needs ~{effect.more_sessions:,} sessions"
    return f"{_SHORT[effect.verdict]} {_share(found.before)} → {_share(found.after)}"


def _effect(one: LessonStats) -> str:
    """Returns the share of matches with the mistake, without the lesson and with it."""
    effect = one.effect
    found = effect.difference
    if effect.verdict == "not enough data" or found is None:
        return _not_enough(one)
    is_hint = acts_as(one.lesson) == "hint"
    what = "of the sessions made the mistake again" if is_hint else "of the matches made the mistake"
    return (
        f"{effect.verdict}: {_share(found.before)} → {_share(found.after)} {what}"
        f" (95 % range of the change: {100 * found.low:+.0f} to {100 * found.high:+.0f} points;"
        f" {effect.before.calls:,} without it, {effect.after.calls:,} with it)"
    )


def _not_enough(one: LessonStats) -> str:
    effect = one.effect
    needed = f"about {render.many(effect.more_sessions, 'more session')} with a matching call"
    if not effect.more_without:
        return f"Not enough data yet. It needs {needed}."
    with_it = max(0, effect.more_sessions - effect.more_without)
    text = f"Not enough data yet. It needs {needed}: {with_it:,} with the lesson, {effect.more_without:,} without it."
    if one.lesson.stage != "active":
        return text
    withhold = " or set holdoutRate" if acts_as(one.lesson) == "hint" else ""
    return f"{text} To get sessions without it, put it into shadow for a while{withhold}."


def _before(one: LessonStats) -> str:
    known = [each for each in one.opportunities if each.decision == "none" and each.failed is not None]
    wrong = sum(each.failed is True for each in known)
    return f"the mistake was made at {wrong:,} of {render.many(len(known), 'matching call')}" if known else ""


def _share(value: float) -> str:
    return f"{100 * value:.0f}%"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


Feedback = dict[str, list[Note]]


@click.command("stats", short_help="Show what each lesson did, and how well")
@click.argument("slug", metavar="[SLUG]", required=False, shell_complete=complete_slug)
@click.option("--since", type=Moment(), metavar="DATE|30d", help="Count only what happened since then.")
@render.json_option
def command(slug: str | None, since: str | None, as_json: bool) -> None:
    """Show what each lesson did, and how well. With SLUG, one lesson in detail.

    \b
    (memory)   what was recalled by itself; no single lesson
    shown      the agent could read the lesson: a hint, a stop or a block
    prevented  it had read the lesson, and its next attempt avoided the mistake
    wrong      the call was correct, or you overrode a block
    missed     the mistake was made, and the trigger did not match
    effect     how often the mistake was made without the lesson → with it;
               "needs ~20 sessions": about 20 more matching sessions are needed

    `lessons scan` brings the figures up to date. The effect always covers all time, also with --since.
    """
    home = paths.data_home()
    found = stats_of(home, _identifier(home, slug) if slug else "", since or "")
    together, feedback = summary_of(home, found), feedback_on(home)
    if slug:
        words = counts(feedback.get(found.lessons[0].slug, []) if found.lessons else [])
        render.emit(as_json, document(found, together, feedback), lambda: one_lesson(found, slug, words))
    else:
        sentences = stats.sentences(together, config.load(home).holdout_rate > 0)
        render.emit(as_json, document(found, together, feedback), lambda: all_lessons(found, sentences))


def _identifier(home: str, slug: str) -> str:
    try:
        return str(lesson_file.read(home).find(slug)["id"])
    except NotFound:
        if (brought := of_project(home, slug)) is None:
            raise
        return brought.lesson.id


def document(found: Stats, together: Summary, feedback: Feedback) -> dict[str, object]:
    return {
        "since": found.since or None,
        "totals": msgspec.to_builtins(found.totals),
        "weeks": msgspec.to_builtins(found.weeks),
        **stats.document(together),
        "memory": found.memory
        and {**msgspec.to_builtins(found.memory.tally), "weeks": msgspec.to_builtins(found.memory.weeks)},
        "lessons": [_lesson(one, together, feedback) for one in found.lessons],
    }


def _lesson(one: LessonStats, together: Summary, feedback: Feedback) -> dict[str, object]:
    words = counts(feedback.get(one.slug, []))
    return {
        "slug": one.slug,
        **msgspec.to_builtins(one.tally),
        "weeks": msgspec.to_builtins(one.weeks),
        "effect": effect.document(one.effect),
        "pooled": stats.drawn(together, one),
        "feedback": {"good": words["good"], "bad": words["bad"]},
    }
