"""`lessons search`: searches calls, errors and prompts in the history."""

import re
from collections.abc import Sequence

import click
import msgspec
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from lessons import paths
from lessons.cli import render
from lessons.cli.options import Moment, project_option, written_folder
from lessons.errors import Refused
from lessons.failure.error_text import telling_line
from lessons.promote import one_line
from lessons.store.history.history import History
from lessons.store.history.search import KINDS, Query, SearchHit, has_token
from lessons.store.project_folder import project_name

_HEADING = re.compile(r"Exit code \d+")
_TOKEN = re.compile(r"[^\W_]+")


def pattern_of(words: Sequence[str]) -> re.Pattern[str] | None:
    """Returns what finds the words in a text, whatever the case and the signs between them."""
    found = [r"[\W_]+".join(map(re.escape, tokens)) for word in words if (tokens := _TOKEN.findall(word))]
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(found)})", re.IGNORECASE) if found else None


def excerpt(text: str, pattern: re.Pattern[str] | None, width: int) -> str:
    """Returns the first line with one of the words, else the first with content; the words are within the width."""
    lines = [" ".join(line.split()) for line in _joined(text).splitlines() if line.strip()] or [""]
    telling = [each for each in lines if not _HEADING.fullmatch(each)] or lines
    line = next((each for each in lines if pattern and pattern.search(each)), telling[0])
    found = pattern.search(line) if pattern else None
    if found and cell_len(line[: found.end()]) > width:
        return "…" + line[max(0, found.start() - width // 4) :].lstrip()
    return line if line is lines[-1] else f"{line} …"


def _joined(command: str) -> str:
    """Returns the command without line ends inside of it."""
    return command.replace("\\\n", " ")


OUTCOMES = ("ok", "failed", "refused", "cancelled", "interrupted", "unknown")
_COLOURS = {"ok": "green", "failed": "red", "refused": "yellow", "cancelled": "yellow", "interrupted": "yellow"}


@click.command("search", short_help="Search calls, errors and prompts")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@project_option
@click.option("--session", metavar="S", help="Only this session (id or its beginning).")
@click.option("--tool", metavar="T", help="Only calls of this tool.")
@click.option("--outcome", type=click.Choice(OUTCOMES), help="Only calls with this outcome.")
@click.option("--failed", is_flag=True, help="Short for --outcome failed.")
@click.option("--kind", type=click.Choice(tuple(KINDS)), help="Only this kind of text.")
@click.option("--since", type=Moment(), metavar="DATE|7d", help="Only from this date on.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=20, show_default=True, help="The most results.")
@render.json_option
def command(
    words: tuple[str, ...],
    project: str | None,
    session: str | None,
    tool: str | None,
    outcome: str | None,
    failed: bool,
    kind: str | None,
    since: str | None,
    limit: int,
) -> None:
    """Search calls, errors and prompts in the history. The best match comes first.

    Every word must occur. Quote a phrase: 'gh pr diff'. A * at the end of a word stands for any
    ending. To search for an option, write -- first: lessons search -- --no-verify. Without words: newest first.
    `lessons add --from-search 3` makes a lesson of the third result.
    """
    if failed and outcome not in (None, "failed"):
        raise Refused(f"--failed and --outcome {outcome} cannot be used together.")
    query = Query(
        words=_usable(words),
        folder=written_folder(project or ""),
        project="" if written_folder(project or "") else project or "",
        session=session or "",
        tool=tool or "",
        outcome="failed" if failed else outcome or "",
        kind=kind or "",
        since=since or "",
        limit=limit,
    )
    home = paths.data_home()
    with History.for_reading(home) as history:
        found = history.search(query)
    one_line.remember_hits(home, [hit.tool_use_id for hit in found.results])
    document = {"results": [msgspec.to_builtins(hit) for hit in found.results], "total": found.total}
    render.emit(document, lambda: _print(found.results, found.total, query))


def _usable(words: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the words that can be searched for; prints a warning about the others."""
    ignored = [word for word in words if not has_token(word)]
    usable = tuple(word for word in words if has_token(word))
    if ignored:
        signs = ", ".join(f"`{word}`" for word in ignored if word.strip())
        if not usable:
            has = f"{signs} has" if signs else "The search has"
            raise Refused(f"{has} no letter or digit: give a word to search for.")
        render.note(f"{signs} is ignored: only letters and digits are indexed.")
    return usable


def _print(hits: Sequence[SearchHit], total: int, query: Query) -> None:
    if not hits or not render.is_terminal():
        columns = ("time", "kind", "tool", "outcome", "project", "session", "text", "beside")
        rows = [
            (hit.time, hit.kind, hit.tool or "", _ended(hit), hit.project, hit.session, _joined(hit.text), _beside(hit))
            for hit in hits
        ]
        render.table(columns, rows, "No match. `lessons scan` reads newer transcripts.")
        return
    console = Console()
    pattern = pattern_of(query.words)
    for number, hit in enumerate(hits, start=1):
        about = Text(f"{number:>3} ", style="bold")
        about.append(hit.time[:16].replace("T", " "), style="not bold dim")
        about.append("  " + render.one_line(project_name(hit.project)), style="bold")
        about.append("  " + render.one_line(hit.tool or "prompt"), style="not bold cyan")
        if hit.outcome:
            about.append("  " + _ended(hit), style=f"not bold {_COLOURS.get(hit.outcome, 'dim')}")
        about.append("  error" if hit.kind == "error" else "", style="not bold dim")
        about.append("  " + render.one_line(hit.session[:8]), style="not bold dim")
        text = Text("    " + excerpt(render.printable(hit.text), pattern, console.width - 4))
        if pattern:
            text.highlight_regex(pattern, "bold yellow")
        lines = [about, text]
        if beside := _beside(hit):
            lines.append(Text(f"    {'→ ' if hit.kind == 'call' else 'of: '}{beside}", "dim"))
        for each in lines:
            console.print(each, no_wrap=True, overflow="ellipsis")
    if total > len(hits):
        render.note(f"{len(hits)} of {total:,}: use --limit for more, or a filter for fewer.")


def _beside(hit: SearchHit) -> str:
    """Returns the error of a failed call, or the call of an error, on one line."""
    if hit.kind == "error":
        return render.one_line(_joined(hit.command or ""))
    return render.one_line(telling_line(hit.error)) if hit.error else ""


def _ended(hit: SearchHit) -> str:
    return f"{hit.outcome or ''}{f' ({hit.exit_code})' if hit.exit_code else ''}"
