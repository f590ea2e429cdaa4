"""`lessons cost`: what repeated mistakes cost, also before anything is installed."""

import os
import tempfile
import textwrap

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.options import Moment, project_option, whose_transcripts, written_folder
from lessons.errors import Refused
from lessons.replay.cost import PRICES_OF, Cost, RepeatCost, costs_of_repeats, in_words, together
from lessons.replay.replay import only
from lessons.scan.run import Options, run
from lessons.store.history.history import History

_MOST_MISTAKES, _MOST_MODELS = 5, 3
_LONGEST = 130  # characters of a mistake: two lines of a terminal


class _Found(msgspec.Struct):
    sessions: int = 0
    first: str = ""
    last: str = ""
    repeats: list[RepeatCost] = []
    problems: dict[str, str] = {}  # of the mistakes, by fingerprint


@click.command("cost", short_help="Show what repeated mistakes cost you")
@click.option("--path", "folders", multiple=True, metavar="DIR", help="Read only below this folder (repeatable).")
@whose_transcripts
@click.option("--since", type=Moment(), metavar="DATE|30d", help="Only sessions from this date on.")
@project_option
@render.json_option
def command(folders: tuple[str, ...], agents: tuple[str, ...], since: str | None, project: str | None) -> None:
    """Show what repeated mistakes cost you: tokens, money and time. Needs no installation and stores nothing.

    Reads the transcripts of every agent on this machine, and the history if there is one. A repeat is a failed call
    whose mistake another session made before; it counts once a session. It costs the failed call and all calls
    until one worked. Calls of one message share its tokens and time; pauses do not count.

    Money is an estimate from list prices: what a subscription includes is not billed. --json lists every call
    that was counted, by its tool_use_id.
    """
    if "" in folders or project == "":
        raise Refused(f"{'--path' if '' in folders else '--project'} is empty: give a folder, or leave it out.")
    folder = written_folder(project or "")
    counts = only(since or "", folder, "" if folder else project or "")
    found = _Found()

    def measure(history: History) -> None:
        chosen = [each for each in history.sessions.spans() if counts(each)]
        found.sessions = len(chosen)
        found.first, found.last = min((s.start for s in chosen), default=""), max((s.end for s in chosen), default="")
        found.repeats = costs_of_repeats(history, counts, agents)
        mistakes = history.candidates.named({each.fingerprint for each in found.repeats})
        found.problems = {each.fingerprint: each.document.problem for each in mistakes}

    # Only a folder that is named is read without the history: in a data home that does not exist, and never will.
    with tempfile.TemporaryDirectory(prefix="lessons-") as scratch, render.progress("Reading", "bytes") as show:
        home = os.path.join(scratch, "none") if folders else paths.data_home()
        options = Options([os.path.abspath(each) for each in folders], agents, dry_run=True)
        coverage = run(home, options, lambda now: show(now.done, now.total, now.step), measure).coverage
    render.warn(coverage.problems)
    render.emit(_document(found), lambda: _print(found))


def _mistakes(found: _Found) -> list[tuple[str, list[RepeatCost], Cost]]:
    """Returns the mistakes, most costly first: by money, then by tokens and time."""
    of: dict[str, list[RepeatCost]] = {}
    for each in found.repeats:
        of.setdefault(each.fingerprint, []).append(each)
    rows = [(name, some, together(some)) for name, some in of.items()]
    return sorted(rows, key=lambda row: (-row[2].dollars, -row[2].tokens, -row[2].seconds, row[0]))


def _document(found: _Found) -> dict[str, object]:
    return {
        "since": found.first,
        "until": found.last,
        "sessions": found.sessions,
        "pricesOf": PRICES_OF,
        "total": msgspec.to_builtins(together(found.repeats)),
        "mistakes": [
            {
                "fingerprint": name,
                "problem": found.problems.get(name, ""),
                **msgspec.to_builtins(cost),
                "occurrences": msgspec.to_builtins(some),
            }
            for name, some, cost in _mistakes(found)
        ],
    }


def _print(found: _Found) -> None:
    total = together(found.repeats)
    span = f", {found.first[:10]} to {found.last[:10]}" if found.first else ""
    read = f"{render.many(found.sessions, 'session')}{span}"
    if not found.sessions:
        render.say("No session was found. Name a folder of transcripts with --path, or leave other options out.")
        return
    if not found.repeats:
        render.say(f"No mistake was repeated in another session ({read}).")
        return
    tokens, money, time = in_words(total)
    render.say(
        f"Your agents repeated {render.many(total.repeats, 'mistake')} of an earlier session ({read}). This cost about:"
    )
    calls = [call for each in found.repeats for call in each.calls]
    unpriced = sorted({call.model for call in calls if call.tokens is not None and call.dollars is None})
    cached = f"{total.cached_tokens / total.tokens:.0%} of them read from the cache" if total.tokens else ""
    unread = f"{total.calls_without_tokens:,} of {render.many(total.calls, 'call')} do not say"
    rows = {
        ("tokens", tokens): [cached, unread if total.calls_without_tokens else ""],
        ("money", money): [
            f"list prices of {PRICES_OF}" if money != "unknown" else "",
            f"no price for {', '.join(unpriced[:_MOST_MODELS])}" if unpriced else "",
        ],
        ("time", time): ["the calls and the thinking between them, without pauses"],
    }
    for (name, value), notes in rows.items():
        render.say(f"  {name:<7}{value:<12}{'; '.join(filter(None, notes))}".rstrip(), hanging=19)
    render.say("\nThe most costly:")
    worst = [
        (
            f"{cost.repeats:,}×",
            *in_words(cost),
            textwrap.shorten(found.problems.get(name, name), _LONGEST, placeholder=" …"),
        )
        for name, _, cost in _mistakes(found)[:_MOST_MISTAKES]
    ]
    render.table(("times", "tokens", "money", "time", "mistake"), worst, "")
    render.say("\nTo stop them: lessons init")
