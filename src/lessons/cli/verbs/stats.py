"""`lessons stats` shows what each lesson and memory did and prevented; `lessons history report` writes a page of it."""

import os
import shutil
import webbrowser
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from lessons import config, paths
from lessons.cli import render
from lessons.cli.options import Moment, complete_slug, record_of
from lessons.errors import NotFound, Refused
from lessons.opportunity import Opportunity
from lessons.prove import effect, stats
from lessons.prove.next_step import acts_as
from lessons.prove.stats import LessonStats, Stats, Tally, Week, stats_of, summary_of
from lessons.prove.tend import counts, feedback_on
from lessons.replay.cost import PRICES_OF, Cost, costs_of_repeats, in_words, together
from lessons.store import files
from lessons.store.history.history import History

_BARS = "▁▂▃▄▅▆▇█"
_MOST_LESSONS = 8
_EARLY = "too early"
_COLUMNS = ("lesson", "shown", "prevented", "wrong", "missed", "effect")
_MEMORY = "(memory)"  # no slug has parentheses
_NOTE_COLUMN = 37  # of what stands beside the figures
_SLUG_WIDTH = 22  # on a terminal of 80 columns; a wider one has room for more
_SHORT_EFFECTS = {"helps": "helps", "harms": "harms", "no effect shown": "none seen"}
_OUTCOMES = {
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


@click.command("stats", short_help="Show what each lesson did, and how well")
@click.argument("slug", metavar="[SLUG]", required=False, shell_complete=complete_slug)
@click.option("--since", type=Moment(), metavar="DATE|30d", help="Count only what happened since then.")
@render.json_option
def command(slug: str | None, since: str | None) -> None:
    """Show what each lesson did, and how well. With SLUG, one lesson in detail.

    \b
    (memory)   what was recalled by itself; no single lesson
    spoken     the same as shown; this week is the last seven days
    heeded     the same as prevented; ignored: read, and the mistake was made
    shown      the agent could read the lesson: a hint, a stop or a block
    prevented  it had read the lesson, and its next attempt avoided the mistake
    wrong      the call was correct, or you overrode a block
    missed     the mistake was made, and the trigger did not match
    effect     how often the mistake was made without the lesson → with it
    repeats    a mistake of an earlier session, made again, once a session;
               `lessons cost` shows the most costly

    `lessons scan` brings the figures up to date. The effect always covers all time, also with --since.
    """
    home = paths.data_home()
    identifier = str(record_of(home, slug)["id"]) if slug else ""
    found = stats_of(home, identifier, since or "")
    summary = summary_of(home, found)
    feedback = feedback_on(home)
    costs = [] if slug or not found.is_scanned else _costs(home, (stats.week_ago(), found.since))

    def verdicts(one: LessonStats) -> dict[str, int]:
        counted = counts(feedback.get(one.slug, []))
        return {verdict: counted[verdict] for verdict in ("good", "bad")}

    document = {
        "since": found.since or None,
        "totals": msgspec.to_builtins(found.totals),
        "weeks": msgspec.to_builtins(found.weeks),
        **stats.document(summary),
        "thisWeek": msgspec.to_builtins(found.this_week),
        "cost": {name: msgspec.to_builtins(each) for name, each in zip(("thisWeek", "total"), costs, strict=False)},
        "memory": found.memory
        and {**msgspec.to_builtins(found.memory.tally), "weeks": msgspec.to_builtins(found.memory.weeks)},
        "lessons": [
            {
                "slug": one.slug,
                **msgspec.to_builtins(one.tally),
                "weeks": msgspec.to_builtins(one.weeks),
                "effect": effect.document(one.effect),
                "feedback": verdicts(one),
            }
            for one in found.lessons
        ],
    }

    def print_all() -> None:
        if not slug:
            _print_all(found, costs, stats.sentences(summary, config.load(home).holdout_rate > 0))
        elif found.lessons:
            judged = [f"{number:,} {verdict}" for verdict, number in verdicts(found.lessons[0]).items() if number]
            _print_one(found.lessons[0], found.since, ", ".join(judged))
        else:
            _note_nothing(found, f"{slug} has not matched a call yet.")

    render.emit(document, print_all)


def _costs(home: str, moments: Sequence[str]) -> list[Cost]:
    with History.for_reading(home) as history:
        repeats = costs_of_repeats(history)
    return [together(repeats, moment) for moment in moments]


def _note_uncounted(found: Stats) -> None:
    if found.uncounted:
        number = render.many(found.uncounted, "event")
        render.note(f"Not counted yet: {number} of the hook. Run `lessons scan` first.")


def _note_nothing(found: Stats, never: str) -> None:
    _note_uncounted(found)
    if not found.uncounted:
        render.note(never if found.is_scanned else "Nothing to show yet. Run `lessons scan` first.")


def _print_all(found: Stats, costs: Sequence[Cost], about_all: Sequence[str]) -> None:
    """Prints all lessons; `about_all`: lines about all of them at once. On a terminal as many as fit."""
    recalls = found.memory.tally if found.memory else Tally()
    if not found.lessons and not recalls.opportunities:
        never = "No lesson has matched a call yet, and nothing was recalled."
        _note_nothing(found, f"{never} `lessons doctor` checks that the hook runs.")
        return
    rows = [(one.tally, one.slug, _short_effect(one)) for one in found.lessons]
    if recalls.opportunities:
        rows.append((recalls, _MEMORY, "·"))
        rows.sort(key=lambda row: (-row[0].prevented, -row[0].shown, -row[0].opportunities))
    lines = [(name, *_numbers(tally), effect) for tally, name, effect in rows]
    if not render.is_terminal():
        render.table(_COLUMNS, lines, "")
        return
    for line in _summary(found, costs):
        render.say(line, hanging=_NOTE_COLUMN)
    for line in [*about_all, ""]:
        render.say(line)
    shown = lines[: _MOST_LESSONS - len(about_all)]
    room = max(_SLUG_WIDTH, _SLUG_WIDTH + shutil.get_terminal_size().columns - 80)
    render.table(
        _COLUMNS, [(slug if len(slug) <= room else f"{slug[: room - 1]}…", *rest) for slug, *rest in shown], ""
    )
    if more := len(lines) - len(shown):
        render.note(f"{render.many(more, 'more lesson')}: `lessons stats --json`.")
    early = [one.effect.more_sessions for one in found.lessons if _is_early(one)]
    if early:
        render.note(f"{_EARLY}: about {min(early):,} more matching sessions until the first can be told.")
    _note_uncounted(found)
    render.note("For one lesson: `lessons stats SLUG`. To explain the columns: `lessons stats --help`.")


def _summary(found: Stats, costs: Sequence[Cost]) -> list[str]:
    """Returns what was spoken and what repeats cost, this week and in all."""
    pairs = list(zip((found.this_week, found.totals), costs, strict=True))
    words = [in_words(cost) for _, cost in pairs]
    tokens, *others = in_words(costs[1].share(found.totals.prevented))
    saved = f"about {', '.join(each for each in (f'{tokens} tokens', *others) if 'unknown' not in each)} saved"
    prices = f"about, list prices of {PRICES_OF}" if words[1][1] != "unknown" else ""
    rows = [
        ("", "this week", f"since {found.since[:10]}" if found.since else "in all", ""),
        ("spoken", *(f"{tally.shown:,}" for tally, _ in pairs), ""),
        (
            "heeded",
            *(f"{tally.prevented:,}" for tally, _ in pairs),
            saved if found.totals.prevented and costs[1].repeats else "",
        ),
        ("ignored", *(f"{tally.ignored_failed + tally.stopped_repeated:,}" for tally, _ in pairs), ""),
        ("wrong", *(f"{tally.wrong:,}" for tally, _ in pairs), ""),
        ("repeats", *(f"{cost.repeats:,}" for _, cost in pairs), "of mistakes of earlier sessions"),
        ("  tokens", words[0][0], words[1][0], ""),
        ("  money", words[0][1], words[1][1], prices),
        ("  time", words[0][2], words[1][2], ""),
    ]
    return [f"{name:<8}{week:>10}{total:>17}  {note}".rstrip() for name, week, total, note in rows]


def _print_one(one: LessonStats, since: str, feedback: str) -> None:
    judged = [each for each in one.opportunities if each.decision == "none" and each.failed is not None]
    wrong = sum(each.failed is True for each in judged)
    latest = [each for each in one.opportunities if each.decision != "none" and each.time >= since][-5:]
    calls = render.many(len(judged), "matching call")
    pairs = [
        ("lesson", one.slug),
        ("summary", one.lesson.summary),
        ("did", "\n".join([_headline(one.tally), *_details(one.tally)])),
        ("before it existed", f"the mistake was made at {wrong:,} of {calls}" if judged else ""),
        ("effect", _effect(one)),
        ("your feedback", feedback),
        ("by week", _by_week(one.weeks) if one.weeks else ""),
        ("latest", "\n".join(f"{each.time[:10]} {each.decision}: {_came_of(each)}" for each in reversed(latest))),
    ]
    render.fields([(name, value) for name, value in pairs if value])


def _came_of(each: Opportunity) -> str:
    if each.outcome in ("notShown", "heldOut") and each.failed is not None:
        return "the mistake was made" if each.failed else "the call was right"
    return _OUTCOMES.get(each.outcome, each.outcome)


def _headline(totals: Tally) -> str:
    def times(number: int) -> str:
        return "once" if number == 1 else f"{number:,} times"

    prevented = render.many(totals.prevented, "mistake")
    return f"shown {times(totals.shown)}, prevented {prevented}, wrong {times(totals.wrong)}"


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
        f"in shadow ({totals.shadow_failed:,} made the mistake)": totals.shadow_failed + totals.shadow_fine,
    }
    lines = [", ".join(f"{number:,} {what}" for what, number in each.items() if number) for each in (acted, other)]
    return [f"  {line}" for line in lines if line]


def _by_week(weeks: Sequence[Week]) -> str:
    shown, mistakes = (sparkline([getattr(week, name) for week in weeks]) for name in ("shown", "mistakes"))
    span = f"{weeks[0].begins} to {weeks[-1].begins}" if len(weeks) > 1 else weeks[0].begins
    return f"shown {shown}  mistakes {mistakes}  weeks of {span}"


def sparkline(numbers: Sequence[int]) -> str:
    """Returns one bar per number; a number above zero is never drawn as zero."""
    highest, last = max(1, *numbers, 1), len(_BARS) - 1
    return "".join(_BARS[max(number > 0, number * last // highest)] for number in numbers)


def _numbers(found: Tally) -> list[str]:
    numbers = (found.shown, found.prevented, found.wrong, found.missed)
    return [f"{number:,}" if number else "·" for number in numbers]


def _is_early(one: LessonStats) -> bool:
    return one.effect.verdict == "not enough data" or one.effect.difference is None


def _short_effect(one: LessonStats) -> str:
    found = one.effect.difference
    if found is None or _is_early(one):
        return _EARLY
    return f"{_SHORT_EFFECTS[one.effect.verdict]} {found.before:.0%} → {found.after:.0%}"


def _effect(one: LessonStats) -> str:
    """Returns the share of matches with the mistake, without the lesson and with it; or what is missing to say so."""
    effect, is_hint = one.effect, acts_as(one.lesson) == "hint"
    found = effect.difference
    if effect.verdict != "not enough data" and found is not None:
        what = "of the sessions made the mistake again" if is_hint else "of the matches made the mistake"
        return (
            f"{effect.verdict}: {found.before:.0%} → {found.after:.0%} {what}"
            f" (95 % range of the change: {100 * found.low:+.0f} to {100 * found.high:+.0f} points;"
            f" {effect.before.calls:,} without it, {effect.after.calls:,} with it)"
        )
    needed = f"about {render.many(effect.more_sessions, 'more session')} with a matching call"
    if not effect.more_without:
        return f"Not enough data yet. It needs {needed}."
    with_it = max(0, effect.more_sessions - effect.more_without)
    text = f"Not enough data yet. It needs {needed}: {with_it:,} with the lesson, {effect.more_without:,} without it."
    if one.lesson.stage != "active":
        return text
    withhold = " or set holdoutRate" if is_hint else ""
    return f"{text} To get sessions without it, put it into shadow for a while{withhold}."


@click.command("report", short_help="Write a page of what the lessons did, with plots")
@click.option(
    "-o", "--output", "file", metavar="FILE", help="Where to write it.  [default: report.html in the data home]"
)
@click.option("--open", "is_opened", is_flag=True, help="Open it in your browser.")
@click.option("--full", is_flag=True, help="Replay a long history too: a minute for a million calls.")
@render.json_option
def report(file: str | None, is_opened: bool, full: bool) -> None:
    """Write a page of what the lessons did, with plots: for example  lessons report --open

    One HTML file that loads nothing and sends nothing: repeats per week, the effect of each lesson with its interval,
    unsolved mistakes, and what lessons would have caught. It quotes your transcripts: read it before you share it.

    The page depends only on the data: two runs give the same page.
    """
    if render.is_json() and (file is not None or is_opened):
        raise click.UsageError("--json prints the document and writes no page: leave out -o and --open.")
    from lessons.report.compose import compose  # loaded only now: `stats` needs no page
    from lessons.report.page import page

    home = paths.data_home()
    target = paths.report_file(home) if file is None else _checked(file)
    with History.for_reading(home) as history, render.progress("Replaying", "sessions") as watch:
        found = compose(history, config.load(home), full=full, watch=watch)
    if render.is_json():
        render.emit(msgspec.to_builtins(found))
        return
    files.write_text(target, page(found))
    render.say(target)
    if is_opened and not render.can_ask():
        render.note("Not opened: there is no terminal.")
    elif is_opened and not webbrowser.open(Path(target).as_uri()):
        render.note("No browser was found: open the file yourself.")


def _checked(file: str) -> str:
    """Returns the absolute path; refuses one that cannot be written."""
    if not file.strip():
        raise Refused("-o is empty: give the file to write.")
    path = os.path.abspath(os.path.expanduser(file))
    if os.path.isdir(path):
        raise Refused(f"{path} is a folder: give the file to write, such as {os.path.join(path, 'report.html')}.")
    if not os.path.isdir(os.path.dirname(path)):
        raise NotFound(f"The folder {os.path.dirname(path)} does not exist: create it first.")
    return path
