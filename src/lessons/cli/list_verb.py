"""`lessons list`: a status in, the lessons that have it out."""

import click

from lessons import paths
from lessons.cli import render
from lessons.promote.library import describe
from lessons.store import lesson_file

STATUSES = ("candidate", "shadow", "active", "retired", "archived", "all")
_STAGES = {"shadow": ("shadow",), "active": ("active",), "retired": ("retired",), "candidate": (), "archived": ()}


@click.command("list", short_help="Show the lessons")
@click.option("--status", type=click.Choice(STATUSES), help="Which ones; without it those that act: shadow and active.")
@render.json_option
def command(status: str | None, as_json: bool) -> None:
    """Show the lessons.

    `candidate` and `archived` are about what was found in transcripts and waits for a person or was turned down.
    """
    file = lesson_file.read(paths.data_home())
    stages = ("shadow", "active") if status is None else _STAGES.get(status, ("shadow", "active", "retired"))
    chosen = [lesson for lesson in file.lessons() if lesson.stage in stages]
    records = [file.find(lesson.id) for lesson in chosen]
    rows = [
        (record["slug"], _state(record), describe(record), record.get("priority", 5), record["summary"])
        for record in records
    ]
    empty = "No lessons yet: `lessons add --starter` offers some, `lessons add` asks for one."
    if status in ("candidate", "archived"):
        empty = f"There is nothing with the status {status}."
    render.emit(
        as_json,
        {"lessons": records},
        lambda: render.table(("slug", "stage", "acts by", "priority", "summary"), rows, empty),
    )
    render.warn([problem.sentence for problem in file.problems()])


def _state(record: dict[str, object]) -> str:
    stage = str(record.get("stage", "active"))
    return f"{stage}, needs review" if record.get("needsReview") is True else stage
