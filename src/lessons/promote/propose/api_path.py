"""The path of an API that does not exist: its shape with the numbers left open."""

import re
from collections.abc import Iterator

from lessons.failure.complaint import is_about_unknown_path
from lessons.failure.telling_line import telling_line
from lessons.match.call import ToolCall
from lessons.promote.propose.good_calls import text_of
from lessons.promote.propose.judge import Case
from lessons.promote.propose.words import literal
from lessons.shell.api_path import Shape, api_shapes

_PLAIN = re.compile(r"[a-z][a-z_-]{2,30}")
_MOST_PATHS = 6
_FEWEST_PLAIN, _MOST_SEGMENTS = 2, 6


def api_paths(case: Case) -> list[tuple[str, str]]:
    """Patterns for the shortest runs of segments that no call that worked has, each with a text that it needs."""
    if not all(is_about_unknown_path(telling_line(error)) for error in case.errors):
        return []
    good = map(api_shapes, [*map(text_of, case.fixes), *case.successes.texts, *case.others.texts])
    known = {run for shapes in good for shape in shapes for run in _runs(shape)}
    shared = set.intersection(
        *({run for shape in api_shapes(text_of(call)) for run in _runs(shape)} for call in case.failures)
    )
    usable = sorted((run for run in shared if run not in known), key=lambda run: (len(run), run))
    return [(_pattern(run), max(run, key=len)) for run in usable[:_MOST_PATHS]]


def _runs_of(call: ToolCall) -> Iterator[Shape]:
    return (run for shape in api_shapes(text_of(call)) for run in _runs(shape))


def _runs(shape: Shape) -> Iterator[Shape]:
    """Every run that says enough: two words of an API and a number among or behind them."""
    for start in range(len(shape)):
        for end in range(start + 2, min(len(shape), start + _MOST_SEGMENTS) + 1):
            run = shape[start:end]
            if run[0] and "" in run and sum(_PLAIN.fullmatch(part) is not None for part in run) >= _FEWEST_PLAIN:
                # What ends the path is a part of its shape: `comments/1` is another thing than `comments/1/replies`.
                yield (*run, "$") if end == len(shape) else run


def _pattern(run: Shape) -> str:
    parts = [r"\d+" if not part else literal(part) for part in run if part != "$"]
    return r"(?<![\w-])" + "/".join(parts) + (r"(?![\w/-])" if run[-1] == "$" else "/")
