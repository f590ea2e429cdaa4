"""Errors of several layers: first what stays as it is."""

from lessons.failure.layers import innermost
from tests.tables import table

LAYERS = "lampd: cannot light the room: cannot start the bulb: cannot open the socket: "


@table(
    "line",
    [
        "",
        "lamp: a short error: of a: few layers",
        "a very long sentence without any layer that says at length what is wrong with this lamp",
        "lamp: one layer, and then a very long sentence that says at length what is wrong with it",
        f'"{LAYERS}" was said by somebody else, and quoted texts are no layers of an error',
        "x" * 5000,
    ],
)
def test_unchanged(line: str) -> None:
    assert innermost(line, 60) == line


@table(
    ("line", "longest", "kept"),
    [
        (f"{LAYERS}exec of lux: no such program here", 60, "cannot open the socket: exec of lux: no such program here"),
        (f"{LAYERS}exec of lux: no such program here", 40, "exec of lux: no such program here"),
        # A few words alone say too little, and what is too long is not cut here.
        (f"{LAYERS}the exec of lux: unknown", 10, "the exec of lux: unknown"),
        (f"{LAYERS}" + "word " * 40, 60, ("word " * 40)),
        (LAYERS * 100 + "exec of lux: no such program here", 40, "exec of lux: no such program here"),
    ],
)
def test_outer_layers_are_left_out(line: str, longest: int, kept: str) -> None:
    assert innermost(line, longest) == kept
