"""`lessons learn`: lets the agent you use write lessons from failures; your history tests them."""

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from lessons import paths
from lessons.agents.table import AGENTS, DEFAULT_AGENT
from lessons.cli import render
from lessons.cli.options import complete_candidate
from lessons.errors import Refused

if TYPE_CHECKING:
    from lessons.learn.accept import Learning, PendingLesson
    from lessons.learn.ask import Progress
    from lessons.learn.dossier import Dossier

_SECONDS = 180
_LONGEST_NAME = 40
_LARGEST_FILE = 32 << 20
_STANDARD = "-"
_MOST_REFUSED = 5  # shown with their reasons


@click.command("learn", short_help="Let your agent write lessons from failures")
@click.argument("names", nargs=-1, metavar="[N|ID...]", shell_complete=complete_candidate)
@click.option("--all", "everything", is_flag=True, hidden=True, help="Everything that waits; the default.")
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
    everything: bool,
    agent: str | None,
    seconds: int,
    limit: int | None,
    yes: bool,
    export_file: str | None,
    answer_file: str | None,
    by: str,
    as_json: bool,
) -> int:
    """Let your agent write lessons from failures; your history tests them.

    Each failure that no lesson answers becomes a redacted dossier: the calls, their errors, what came after them and
    what works. You are asked before anything is sent. Every answer is tested on your history; a refused answer goes
    back once with counterexamples. What passes waits in `lessons review`, or acts at once with --yes, as a hint. With
    --export and --answers any model or person can answer.
    """
    if answer_file is not None and (names or export_file is not None or limit):
        raise click.UsageError("--answers takes the ids from its file: leave out names, --limit and --export.")
    if export_file == _STANDARD and as_json:
        raise click.UsageError("--export - prints the dossiers themselves: leave out --json.")
    home = paths.data_home()
    if answer_file is not None:
        return _read_answers(home, answer_file, _name(by), yes, as_json)
    if export_file is not None:
        return _export(_dossiers(home, names, limit), export_file, as_json)
    return _learn(home, _dossiers(home, names, limit), agent or preferred(), seconds, yes, as_json)


def _name(by: str) -> str:
    name = " ".join(render.printable(by).split())
    if not name or len(name) > _LONGEST_NAME:
        raise click.UsageError(f"--by is {by[:_LONGEST_NAME]!r}: write a name of at most {_LONGEST_NAME} characters.")
    return name


def _dossiers(home: str, names: Sequence[str], limit: int | None) -> "list[Dossier]":
    from lessons.learn import dossier, sources
    from lessons.promote.decide import selected
    from lessons.store.history.history import History

    numbers = [name for name in names if name.isdecimal()]
    named = iter([group[0].fingerprint for group in selected(home, numbers)] if numbers else [])
    ids = [next(named) if name.isdecimal() else name for name in names]
    if not os.path.exists(paths.history_file(home)):
        return []
    with History.for_reading(home) as history:
        chosen = sources.chosen(history, ids)[:limit]
        return dossier.dossiers(history, chosen, sources.answering(history)[0])


def _export(made: "Sequence[Dossier]", file: str, as_json: bool) -> int:
    from lessons.learn.dossier import lines_of, page_of

    if file == _STANDARD:
        click.echo(lines_of(made), nl=False)
        return 0
    _write(file, lines_of(made))
    _write(f"{file}.md", page_of(made))
    document = {"file": file, "dossiers": [each.id for each in made]}
    sentence = f"Wrote {len(made)} dossiers to {file}. `lessons learn --answers FILE` reads the answers."
    render.emit(as_json, document, lambda: render.say(sentence if made else "Nothing to learn from: no failure waits."))
    return 0


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


def _read(path: str) -> str:
    if path == _STANDARD and sys.stdin is None:
        raise Refused("There is no stdin to read answers from: name a file.")
    try:
        if path == _STANDARD:
            data = sys.stdin.buffer.read(_LARGEST_FILE + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(_LARGEST_FILE + 1)
    except OSError as fault:
        raise Refused(f"{path} cannot be read: {fault.strerror}.") from None
    if len(data) > _LARGEST_FILE:
        raise Refused(f"{path} is larger than {_LARGEST_FILE >> 20} MB: split it.")
    return data.decode("utf-8", "replace")


def _read_answers(home: str, file: str, by: str, yes: bool, as_json: bool) -> int:
    from lessons.learn.accept import Learning, activate, take
    from lessons.learn.answer import answers_in

    answers = answers_in(_read(file))
    learning = take(home, answers, by) if answers else Learning()
    if yes and learning.accepted:
        activate(home, {each.id for each in learning.accepted})
    return _report(learning, yes, as_json)


def preferred() -> str:
    """Returns the agent to ask: the first that is installed and can be asked."""
    from lessons.agents.ask import askable

    found = askable()
    return DEFAULT_AGENT if DEFAULT_AGENT in found or not found else found[0]


def _learn(home: str, made: "Sequence[Dossier]", agent: str, seconds: int, yes: bool, as_json: bool) -> int:
    from lessons.agents.ask import client_of
    from lessons.learn.ask import Progress

    progress = Progress(0)
    if made:
        title = AGENTS[agent].title
        client_of(agent)  # refuses before anybody is asked
        if not yes and (as_json or not render.can_ask()):
            raise Refused("Nothing was sent: there is no terminal to confirm on. Add --yes, or use --export FILE.")
        if not yes and not _agrees(made, title):
            return 1
        progress = converse(home, made, agent, seconds, yes)
    more = {"agent": agent, "batches": progress.done, "tokens": progress.tokens, "unanswered": progress.unanswered}
    if made or as_json:
        is_decided = bool(progress.learning.accepted) and not yes  # a person is there, or nothing was sent
        _report(progress.learning, yes or is_decided, as_json, **more)
        if left := len(progress.unanswered):
            render.note(f"{left} {'was' if left == 1 else 'were'} not answered: `lessons learn` asks again.")
        if is_decided:
            decide(home)
        return 0
    render.say("Nothing to learn from: no failure waits. `lessons scan` reads new transcripts.")
    if os.path.exists(paths.history_file(home)) and (number := len(_pending(home))):
        render.note(f"{number} learned before {'waits' if number == 1 else 'wait'} in `lessons review`.")
    return 0


def converse(
    home: str, made: "Sequence[Dossier]", agent: str, seconds: int = _SECONDS, yes: bool = False
) -> "Progress":
    """Asks the agent, to which the person has agreed; Ctrl-C keeps what is answered."""
    from lessons.agents.ask import ask
    from lessons.learn import offer
    from lessons.learn.ask import BATCH, Progress, conversation
    from lessons.store.history.history import History

    title, progress = AGENTS[agent].title, Progress(-(-len(made) // BATCH))
    questions = "1 question" if progress.batches == 1 else f"{progress.batches} questions"
    render.note(f"Asking {title}: {questions}, up to {seconds} seconds each. Ctrl-C keeps what is answered.")
    try:
        for progress in conversation(home, made, partial(ask, agent), agent, seconds, yes):
            render.note(_so_far(progress))
    except KeyboardInterrupt:
        render.note("\nStopped. What is answered is stored; `lessons learn` goes on.")
        raise
    with History.opened(home) as history:
        offer.note(history)
    return progress


def decide(home: str) -> None:
    """Shows what passed and waits, as `lessons review` does first."""
    from lessons.cli import review_learned

    review_learned.decide(home, _pending(home))


def _pending(home: str) -> "list[PendingLesson]":
    from lessons.learn.accept import pending
    from lessons.store.history.history import History

    with History.for_reading(home) as history:
        return pending(history)


def _so_far(progress: "Progress") -> str:
    learning = progress.learning
    counts = f"{len(learning.accepted)} passed, {len(learning.refused)} refused, {len(learning.nothing)} no lesson"
    used = f"; {progress.tokens:,} tokens" if progress.tokens else ""
    used += f", ${progress.cost:.2f}" if progress.cost else ""
    fault = f" {progress.fault}" if progress.fault else ""
    return f"{progress.done} of {progress.batches} questions: {counts}{used}.{fault}"


def _agrees(made: "Sequence[Dossier]", title: str) -> bool:
    from lessons.learn.ask import estimate

    found = estimate(made)
    calls = "1 failed call" if found.calls == 1 else f"{found.calls:,} failed calls"
    what = f"{'1 mistake' if found.dossiers == 1 else f'{found.dossiers:,} mistakes'} ({calls})"
    render.say(
        f"{what} would be sent to {title}, to the model that it is set to use: {found.kilobytes:,} KB without secrets,"
        f" about {round(found.tokens, -2):,} tokens with the answers."
    )
    return may_send(lambda: made)


def may_send(made: "Callable[[], Sequence[Dossier]]") -> bool:
    """Asks the person, who may look at it first."""
    from lessons.learn.dossier import page_of

    answer = ""
    while answer not in ("y", "n"):
        answer = click.prompt("Send? [y]es / [v]iew / [n]o", default="n", show_default=False).strip().lower()[:1]
        if answer == "v":
            click.echo_via_pager(render.printable(page_of(made())))
    if answer == "n":
        render.note("Nothing was sent.")
    return answer == "y"


def _report(learning: "Learning", is_decided: bool, as_json: bool, **more: object) -> int:
    import msgspec

    document = {**msgspec.to_builtins(learning), **more}
    render.emit(as_json, document, lambda: _print(learning, is_decided))
    return 0


def _print(learning: "Learning", is_decided: bool) -> None:
    for each in learning.accepted if not (is_decided and render.is_terminal()) else ():
        render.say(f"{each.slug} (at the {each.acts})")
    for refusal in learning.refused[:_MOST_REFUSED]:
        render.say(f"{refusal.id}: refused.")
        for sentence in refusal.reasons:
            render.say(f"  {sentence}")
    if len(learning.refused) > _MOST_REFUSED:
        render.say(f"… and {len(learning.refused) - _MOST_REFUSED} more refused. --json prints all of them.")
    counts = f"{len(learning.accepted)} passed, {len(learning.refused)} refused"
    render.say(f"{counts}, {len(learning.nothing)} without a lesson.")
    if learning.accepted and not is_decided:
        render.note("Next: `lessons review` to decide.")
