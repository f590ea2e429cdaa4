"""Errors that pass through several programs, each of which puts its own words before them."""

import re

_LAYER = re.compile(r"[^:'\"`\s][^:'\"`]{1,80}: (?=\S)")
_LONGEST_LINE = 2000
_FEWEST_LAYERS = 3
_FEWEST_WORDS = 4  # of what is left


def innermost(line: str, longest: int) -> str:
    """Returns the line without the outer layers for which there is no room: the innermost one names the cause.

    Returns the line unchanged if it fits, or if it has too few layers. Of a very long line only the end is read.
    """
    if len(line) <= longest:
        return line
    if len(line) > _LONGEST_LINE:
        begin = line.find(": ", len(line) - _LONGEST_LINE)
        line = line if begin < 0 else line[begin + 2 :]
    starts = [0]
    while layer := _LAYER.match(line, starts[-1]):
        starts.append(layer.end())
    kept = [start for start in starts if len(line[start:].split()) >= _FEWEST_WORDS]
    if len(starts) <= _FEWEST_LAYERS or not kept:
        return line
    return line[next((start for start in kept if len(line) - start <= longest), kept[-1]) :]
