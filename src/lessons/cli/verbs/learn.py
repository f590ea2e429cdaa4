"""`lessons learn`: lets the agent you use write lessons from failures; your history tests them."""

import os
from collections.abc import Callable, Sequence
from functools import partial

import click
import msgspec

from lessons import paths
from lessons.agents.ask import CLIENTS, ask, askable, client_of
from lessons.agents.table import AGENTS, DEFAULT_AGENT
from lessons.cli import render
from lessons.cli.options import complete_candidate, content_of
from lessons.cli.render import many
from lessons.errors import Refused
from lessons.learn import dossier, offer, sources
from lessons.learn.accept import Learning, PendingLesson, activate, pending, take
from lessons.learn.answer import answers_in
from lessons.learn.ask import BATCH, Progress, conversation, estimate
from lessons.learn.dossier import Dossier
from lessons.promote.decide import selected
from lessons.store.history.history import History

_SECONDS = 180
_LONGEST_NAME = 40
_STANDARD = "-"
_MOST_REFUSED = 5  # shown with their reasons
_NOTHING_WAITS = "Nothing to learn from: no failure is left to ask about."

_EXAMPLES = {"missed": "It misses", "worked": "This worked", "other mistake": "This is another mistake"}


@click.command("learn", short_help="Let your agent write lessons from failures")
@click.argument("names", nargs=-1, metavar="[N|ID...]", shell_complete=complete_candidate)
@click.option("--agent", type=click.Choice([*AGENTS]), help="Which to ask. Default: the first that is installed.")
@click.option("--seconds", type=click.IntRange(1, 3600), default=_SECONDS, show_default=True, help="Per question.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="At most N failures, the most costly first.")
@click.option("--yes", is_flag=True, help="Send without asking, and turn on what passes the test.")
@click.option("--export", "export_file", metavar="FILE", help="Write the dossiers to FILE (- for stdout).")
@click.option(
    "--answers", "answer_file", metavar="FILE", help="Read answers from FILE (- for stdin), one JSON object per line."
)
@click.option("--by", default="an answer file", metavar="NAME", help="With --answers: who wrote them.")
@render.json_option
def command(
    names: tuple[str, ...],
    agent: str | None,
    seconds: int,
    limit: int | None,
    yes: bool,
    export_file: str | None,
    answer_file: str | None,
    by: str,
) -> int:
    """Let your agent write lessons from failures; your history tests them.

    Each failure that no lesson answers becomes a redacted dossier: the calls, their errors, what came after them and
    what works. You are asked before anything is sent. Every answer is tested on your history; a refused answer goes
    back once with counterexamples. What passes waits in `lessons review`, or acts at once with --yes, as a hint. With
    --export and --answers any model or person can answer.
    """
    if answer_file is not None and (names or export_file is not None or limit):
        raise click.UsageError("--answers takes the ids from its file: leave out names, --limit and --export.")
    if export_file == _STANDARD and render.is_json():
        raise click.UsageError("--export - prints the dossiers themselves: leave out --json.")
    home = paths.data_home()
    if answer_file is not None:
        writer = render.one_line(by)[:_LONGEST_NAME] or "an answer file"
        text = content_of(answer_file).decode("utf-8", "replace")
        answers = answers_in(text)
        if text.strip() and not answers:
            place = "stdin" if answer_file == _STANDARD else answer_file
            raise Refused(f'{place} has no answer. Write one JSON object per line: {{"id": …, "lesson": …}}.')
        learning = take(home, answers, writer) if answers else Learning()
        if yes and learning.accepted:
            activate(home, {each.id for each in learning.accepted})
        _report(learning, yes)
        return 0
    made = dossiers_of(home, names, limit)
    if export_file is not None:
        _export(made, export_file)
        return 0
    return _learn(home, made, agent, seconds, yes)


def dossiers_of(home: str, names: Sequence[str] = (), limit: int | None = None) -> list[Dossier]:
    """Returns the dossiers of the named candidates, else of everything that waits."""
    numbers = [name for name in names if name.isdecimal()]
    named = iter([group[0].fingerprint for group in selected(home, numbers)] if numbers else [])
    ids = [next(named) if name.isdecimal() else name for name in names]
    if not os.path.exists(paths.history_file(home)):
        return []
    with History.for_reading(home) as history:
        chosen = sources.chosen(history, ids)[:limit]
        return dossier.dossiers(history, chosen, sources.answering(history)[0])


def _export(made: Sequence[Dossier], file: str) -> None:
    if file == _STANDARD:
        click.echo(dossier.lines_of(made), nl=False)
        return
    _write(file, dossier.lines_of(made))
    _write(f"{file}.md", dossier.page_of(made))
    done = f"Wrote {many(len(made), 'dossier')} to {file}, and for people to {file}.md.\n"
    done += "Next: have them answered as the first line says, then run `lessons learn --answers FILE`."
    document = {"file": file, "dossiers": [each.id for each in made]}
    render.emit(document, lambda: render.say(done if made else _NOTHING_WAITS))


def _write(path: str, text: str) -> None:
    """Writes a private file: the texts come from the user's sessions."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(file, "w", encoding="utf-8", newline="\n") as opened:
            if hasattr(os, "fchmod"):
                os.fchmod(file, 0o600)  # also if the file existed already
            opened.write(text)
    except OSError as fault:
        raise Refused(f"{path} cannot be written: {fault.strerror}.") from None


def preferred() -> str:
    """Returns the agent to ask: the first that is installed and can be asked."""
    found = askable()
    return DEFAULT_AGENT if DEFAULT_AGENT in found or not found else found[0]


def _learn(home: str, made: Sequence[Dossier], named: str | None, seconds: int, yes: bool) -> int:
    progress, agent = Progress(0), named or preferred()
    if made:
        if named is None and not askable():
            programs = ", ".join(client.program for client in CLIENTS.values())
            other = "For any other model: `lessons learn --export FILE`, then `lessons learn --answers FILE`."
            raise Refused(f"No agent to ask is on PATH ({programs}). {other}")
        client_of(agent)  # refuses before anybody is asked
        if not yes and not render.can_ask():
            raise Refused("Nothing was sent: there is no terminal to confirm on. Add --yes, or use --export FILE.")
        if not yes:
            found = estimate(made)
            render.say(
                f"{many(found.dossiers, 'mistake')} ({many(found.calls, 'failed call')}) would be sent to"
                f" {AGENTS[agent].title}, to the model that it is set to use: {found.kilobytes:,} KB without secrets,"
                f" about {round(found.tokens, -2):,} tokens with the answers."
            )
            if not may_send(lambda: made):
                return 1
        progress = converse(home, made, agent, seconds, yes)
    if made or render.is_json():
        is_asked = bool(progress.learning.accepted) and not yes  # a person is there, or nothing was sent
        more = {"agent": agent, "batches": progress.done, "tokens": progress.tokens, "unanswered": progress.unanswered}
        _report(progress.learning, yes or is_asked, **more)
        if left := len(progress.unanswered):
            render.note(f"{left} {'was' if left == 1 else 'were'} not answered: `lessons learn` asks again.")
        if is_asked:
            decide(home)
        elif not render.is_json():
            _note_pending(home)
        return 0
    if not os.path.exists(paths.history_file(home)):
        render.say("Nothing to learn from: no transcripts were read yet. Run `lessons scan` first.")
        return 0
    render.say(f"{_NOTHING_WAITS} `lessons scan` reads new transcripts.")
    _note_pending(home)
    return 0


def _note_pending(home: str) -> None:
    if number := len(_pending(home)):
        waits = "waits" if number == 1 else "wait"
        render.note(f"{many(number, 'lesson')} that passed {waits} in `lessons review`.")


def may_send(made: Callable[[], Sequence[Dossier]]) -> bool:
    """Asks the person, who may look at it first."""
    answer = ""
    while answer not in ("y", "n"):
        answer = click.prompt("Send? [y]es / [v]iew / [n]o", default="n", show_default=False).strip().lower()[:1]
        if answer == "v":
            click.echo_via_pager(render.printable(dossier.page_of(made())))
    if answer == "n":
        render.note("Nothing was sent.")
    return answer == "y"


def converse(home: str, made: Sequence[Dossier], agent: str, seconds: int = _SECONDS, yes: bool = False) -> Progress:
    """Asks the agent, to which the person has agreed; Ctrl-C keeps what is answered."""
    progress = Progress(-(-len(made) // BATCH))
    questions = many(progress.batches, "question")
    render.note(
        f"Asking {AGENTS[agent].title}: {questions}, up to {seconds} seconds each. Ctrl-C keeps what is answered."
    )
    try:
        for progress in conversation(home, made, partial(ask, agent), agent, seconds, yes):
            learning = progress.learning
            counts = f"{len(learning.accepted)} passed, {len(learning.refused)} refused"
            counts += f", {len(learning.nothing)} without a lesson"
            counts += f", {len(progress.unanswered)} not answered" if progress.unanswered else ""
            counts += f"; {progress.tokens:,} tokens" if progress.tokens else ""
            counts += f", ${progress.cost:.2f}" if progress.cost else ""
            fault = f" {progress.fault}" if progress.fault else ""
            render.note(f"{progress.done} of {many(progress.batches, 'question')}: {counts}.{fault}")
    except KeyboardInterrupt:
        render.note("\nStopped. `lessons learn` asks about the rest.")
        _note_pending(home)
        raise
    except Refused:
        _note_pending(home)
        raise
    with History.opened(home) as history:
        offer.note(history)
    return progress


def decide(home: str) -> None:
    """Shows what passed and waits, as `lessons review` does first."""
    from lessons.cli.verbs.review import decide_learned

    decide_learned(home, _pending(home))


def _pending(home: str) -> list[PendingLesson]:
    with History.for_reading(home) as history:
        return pending(history)


def _report(learning: Learning, is_decided: bool, **more: object) -> None:
    def print_all() -> None:
        for each in learning.accepted if not (is_decided and render.is_terminal()) else ():
            moment = {"call": "before the call", "error": "after the error", "start": "at session start"}[each.acts]
            render.say(f"{each.slug}: passed, fires {moment}")
        for refusal in learning.refused[:_MOST_REFUSED]:
            first = {each.why: each for each in reversed(refusal.counterexamples)}
            examples = [f"{_EXAMPLES[why]}: {render.one_line(each.command)}" for why, each in first.items()]
            render.say("\n  ".join([f"{refusal.id}: refused.", *refusal.reasons, *examples]))
        if len(learning.refused) > _MOST_REFUSED:
            render.say(f"… and {len(learning.refused) - _MOST_REFUSED} more refused. --json prints all of them.")
        counts = f"{len(learning.accepted)} passed, {len(learning.refused)} refused"
        render.say(f"{counts}, {len(learning.nothing)} without a lesson.")
        if learning.accepted and not is_decided:
            render.note("Next: `lessons review` to decide.")

    render.emit({**msgspec.to_builtins(learning), **more}, print_all)
