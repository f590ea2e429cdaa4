"""`lessons stats`: shows what each lesson did, prevented and got wrong."""

import click
import msgspec

from lessons import config, paths
from lessons.cli import render
from lessons.cli.options.slugs import complete_slug, of_project
from lessons.cli.options.times import Moment
from lessons.cli.stats_text import all_lessons, one_lesson
from lessons.errors import NotFound
from lessons.ledger import summary
from lessons.ledger.feedback import counts, feedback_on
from lessons.ledger.stats import LessonStats, Stats, stats_of
from lessons.ledger.summary import Summary, summary_of
from lessons.prove import effect
from lessons.store import lesson_file
from lessons.store.decisions import Note

Feedback = dict[str, list[Note]]


@click.command("stats", short_help="Show what each lesson did, and how well")
@click.argument("slug", metavar="[SLUG]", required=False, shell_complete=complete_slug)
@click.option("--since", type=Moment(), metavar="DATE|30d", help="Count only what happened since then.")
@render.json_option
def command(slug: str | None, since: str | None, as_json: bool) -> None:
    """Show what each lesson did, and how well. With SLUG, one lesson in detail.

    \b
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
        sentences = summary.sentences(together, config.load(home).holdout_rate > 0)
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
        **summary.document(together),
        "lessons": [_lesson(one, together, feedback) for one in found.lessons],
    }


def _lesson(one: LessonStats, together: Summary, feedback: Feedback) -> dict[str, object]:
    words = counts(feedback.get(one.slug, []))
    return {
        "slug": one.slug,
        **msgspec.to_builtins(one.tally),
        "weeks": msgspec.to_builtins(one.weeks),
        "effect": effect.document(one.effect),
        "pooled": summary.drawn(together, one),
        "feedback": {"good": words["good"], "bad": words["bad"]},
    }
