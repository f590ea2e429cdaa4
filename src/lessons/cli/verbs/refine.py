"""`lessons refine`: lets the agent you use word the lessons of candidates; your history decides."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from lessons import paths
from lessons.agents.table import AGENTS, DEFAULT_AGENT
from lessons.cli import render
from lessons.cli.options.candidates import complete_candidate
from lessons.errors import LessonsError, Refused

if TYPE_CHECKING:
    from lessons.promote.refine.dossier import Dossier
    from lessons.promote.refine.refine import Refined

_SECONDS = 180
_LONGEST_NAME = 40
_STANDARD = "-"


@click.command("refine", short_help="Let your agent write the lessons of candidates")
@click.argument("names", nargs=-1, metavar="[N|ID...]", shell_complete=complete_candidate)
@click.option("--all", "everything", is_flag=True, help="Every candidate of failed calls.")
@click.option("--agent", type=click.Choice([*AGENTS]), default=DEFAULT_AGENT, show_default=True, help="Which to ask.")
@click.option("--seconds", type=click.IntRange(1, 3600), default=_SECONDS, show_default=True, help="Per answer.")
@click.option("--yes", is_flag=True, help="Send the dossiers without asking.")
@click.option("--export", "export_file", metavar="FILE", help="Write the dossiers to FILE (- for stdout).")
@click.option("--brief", is_flag=True, help="With --export: a few hundred tokens for each candidate.")
@click.option(
    "--answers", "answer_file", metavar="FILE", help="Read answers from FILE (- for stdin), one JSON object per line."
)
@click.option("--by", default="an answer file", metavar="NAME", help="With --answers: who wrote them.")
@render.json_option
def command(
    names: tuple[str, ...],
    everything: bool,
    agent: str,
    seconds: int,
    yes: bool,
    export_file: str | None,
    brief: bool,
    answer_file: str | None,
    by: str,
    as_json: bool,
) -> int:
    """Let your agent write the lessons of candidates; your history decides.

    For each candidate it makes a redacted dossier: failed calls, what came after them, and what works. You see it
    before anything is sent. The agent you use answers without tools. Every answer is checked against your history; a
    refused answer goes back once with the reasons. Accepted answers are pending in `lessons review`, marked with their
    author, and start in shadow. With --export and --answers any model or person can answer. Nothing is ever sent
    unless you run this.
    """
    _refuse_wrong_options(names, everything, export_file, brief, answer_file, as_json)
    home = paths.data_home()
    if answer_file is not None:
        return _read_answers(home, answer_file, _name(by), as_json)
    chosen = _chosen(home, names)
    if export_file is not None:
        return _export(home, chosen, export_file, brief, as_json)
    return _ask(home, chosen, agent, seconds, yes, as_json)


def _refuse_wrong_options(
    names: tuple[str, ...],
    everything: bool,
    export_file: str | None,
    brief: bool,
    answer_file: str | None,
    as_json: bool,
) -> None:
    if answer_file is not None and (names or everything or export_file is not None):
        raise click.UsageError("--answers takes the candidates from its file: leave out names, --all and --export.")
    if brief and export_file is None:
        raise click.UsageError("--brief needs --export.")
    if answer_file is None and bool(names) == everything:
        raise click.UsageError("Name candidates (N or ID of `lessons candidates`), or add --all.")
    if export_file == _STANDARD and as_json:
        raise click.UsageError("--export - prints the dossiers themselves: leave out --json.")


def _name(by: str) -> str:
    name = " ".join(render.printable(by).split())
    if not name or len(name) > _LONGEST_NAME:
        raise click.UsageError(f"--by is {by[:_LONGEST_NAME]!r}: write a name of at most {_LONGEST_NAME} characters.")
    return name


def _chosen(home: str, names: Sequence[str]) -> list[str]:
    from lessons.promote.queue.selection import selected
    from lessons.promote.refine.refine import refuse_unusable, waiting

    if not names:
        if found := waiting(home):
            return found
        raise Refused("No candidate can be refined. Run `lessons scan` to read newer transcripts.")
    candidates = [group[0] for group in selected(home, names)]
    refuse_unusable(candidates)
    return [each.fingerprint for each in candidates]


def _export(home: str, chosen: Sequence[str], file: str, brief: bool, as_json: bool) -> int:
    from lessons.promote.refine import exchange
    from lessons.promote.refine.dossier import BRIEF, WHOLE
    from lessons.promote.refine.refine import dossiers

    made = dossiers(home, chosen, BRIEF if brief else WHOLE)
    if file == _STANDARD:
        click.echo(exchange.text_of(made), nl=False)
        return 0
    exchange.write(file, made)
    document = {"file": file, "dossiers": [each.fingerprint for each in made]}
    sentence = f"Wrote {_many(len(made))} to {file}. `lessons refine --answers FILE` reads the answers."
    render.emit(as_json, document, lambda: render.say(sentence))
    return 0


def _read_answers(home: str, file: str, by: str, as_json: bool) -> int:
    from lessons.promote.refine import exchange
    from lessons.promote.refine.refine import from_answers

    if file == _STANDARD and sys.stdin is None:
        raise Refused("There is no stdin to read answers from: name a file.")
    text = exchange.read(file, sys.stdin.buffer if file == _STANDARD else None)
    lines = exchange.lines_of(text)
    if not lines:
        raise Refused(f"{'stdin' if file == '-' else file} has no answer: write one JSON object per line.")
    return _report(list(from_answers(home, lines, by)), as_json)


def _ask(home: str, chosen: Sequence[str], agent: str, seconds: int, yes: bool, as_json: bool) -> int:
    from lessons.agents.table import asker_of, places_of
    from lessons.promote.refine.refine import by_asking, dossiers

    asker = asker_of(agent)
    if asker is None:
        raise Refused(f"{agent} cannot be asked without a terminal: use --export and --answers.")
    made = dossiers(home, chosen)
    _show(made)
    if not _may_send(made, places_of(agent).TITLE, yes, as_json):
        return 1
    done: list[Refined] = []
    try:
        for number, dossier in enumerate(made, start=1):
            render.note(f"Asking about {dossier.fingerprint} ({number} of {len(made)}) …")
            done.append(by_asking(home, dossier, lambda prompt, schema: asker.ask(prompt, schema, seconds), agent))
    except (KeyboardInterrupt, LessonsError):
        render.note(f"\nStopped. {_many(len(done), 'answer')} so far; accepted answers are in `lessons review`.")
        raise
    return _report(done, as_json)


def _show(made: Iterable["Dossier"]) -> None:
    """Prints everything that would be sent, to stderr."""
    import msgspec

    for dossier in made:
        render.note(msgspec.json.format(msgspec.json.encode(dossier)).decode())


def _may_send(made: Sequence["Dossier"], title: str, yes: bool, as_json: bool) -> bool:
    from lessons.promote.refine.exchange import text_of

    if yes:
        return True
    if as_json or not render.can_ask():
        raise Refused("Nothing was sent: there is no terminal to confirm on. Add --yes, or use --export FILE.")
    size = len(text_of(made).encode()) / 1024
    if click.confirm(f"Send {_many(len(made))} ({size:.0f} KB, as above) to {title}?"):
        return True
    render.note("Nothing was sent.")
    return False


def _report(done: Sequence["Refined"], as_json: bool) -> int:
    accepted = [each for each in done if each.wording]
    refused = [each for each in done if not each.wording]
    document = {
        "accepted": [each.fingerprint for each in accepted],
        "notLessons": [each.fingerprint for each in accepted if each.wording and not each.wording.worth_a_lesson],
        "refused": [{"fingerprint": each.fingerprint, "reasons": each.reasons} for each in refused],
    }
    render.emit(as_json, document, lambda: _print(done))
    return 1 if refused else 0


def _print(done: Sequence["Refined"]) -> None:
    for each in done:
        if each.wording is None:
            render.say(f"{each.fingerprint}: refused.")
            for sentence in each.reasons:
                render.say(f"  {sentence}")
        elif not each.wording.worth_a_lesson:
            render.say(f"{each.fingerprint}: not worth a lesson, says {each.wording.by}. {each.wording.reason}")
        else:
            render.say(f"{each.fingerprint}: {each.wording.summary}")
    if any(each.wording for each in done):
        render.note("Next: `lessons review --all` to decide.")


def _many(number: int, what: str = "dossier") -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
