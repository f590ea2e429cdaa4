"""Prints very many records as one JSON document, and never holds all of them."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from tempfile import SpooledTemporaryFile

import click

from lessons.cli import render
from lessons.plain import OPENINGS, without_marks

Encode = Callable[[object], str]
File = SpooledTemporaryFile[bytes]
_BYTES_IN_MEMORY = 8_000_000
_RECORDS_AT_ONCE = 1_000
# More of a tag than anybody looks at to tell a mark.
_LONGEST_TAG = 64


def emit(name: str, records: Iterable[object], reading: AbstractContextManager[None] | None = None) -> None:
    """Prints `{name: [record…]}` as `render.emit` does; reads all records before it prints the first.

    How the document is written depends on all of it: one record may need another encoder, or other brackets. `reading`
    surrounds the reading; if it raises at its end, nothing is printed.
    """
    with SpooledTemporaryFile(_BYTES_IN_MEMORY) as file:
        with reading or nullcontext():
            sizes, has_marks = _written(records, file)
        file.seek(0)
        opening = f"{{\n  {json.dumps(name)}: ["
        for size in sizes:
            text = file.read(size).decode("utf-8", "surrogatepass")
            click.echo(opening + (render.without_brackets(text) if has_marks else text), nl=False)
            opening = ","
    click.echo("\n  ]\n}" if opening == "," else opening + "]\n}")


def _written(records: Iterable[object], file: File) -> tuple[list[int], bool]:
    """Writes the texts of the records; returns their sizes, and whether there are marks in them."""
    if sys.stdout is None or sys.stdout.encoding.lower() != "utf-8":
        return _written_by(_in_ascii, records, file)
    try:
        return _written_by(render.fast_json, records, file)
    except (TypeError, ValueError):  # half a surrogate pair, or a very large number
        return _written_by(_in_unicode, records, file)


def _written_by(encode: Encode, records: Iterable[object], file: File) -> tuple[list[int], bool]:
    file.seek(0)
    sizes: list[int] = []

    def stored() -> Iterator[str]:
        for text in _texts(records, encode):
            sizes.append(file.write(text.encode("utf-8", "surrogatepass")))
            yield text

    return sizes, _have_marks(stored())


def _in_ascii(some: object) -> str:
    return json.dumps(some, indent=2)


def _in_unicode(some: object) -> str:
    return json.dumps(some, indent=2, ensure_ascii=False)


def _texts(records: Iterable[object], encode: Encode) -> Iterator[str]:
    """Some records at a time, without the brackets of a list, as far to the right as in the document."""
    for some in _batches(records):
        lines = encode(some).removeprefix("[").removesuffix("\n]")
        yield render.visible_json(lines.replace("\n", "\n  "))


def _batches(records: Iterable[object]) -> Iterator[list[object]]:
    left = iter(records)
    while some := list(islice(left, _RECORDS_AT_ONCE)):
        yield some


def _have_marks(texts: Iterable[str]) -> bool:
    """Whether `without_marks` would change the texts, if they were one."""
    tags: dict[str, list[str]] = {opening: [] for opening in OPENINGS}
    for text in texts:
        for opening, found in tags.items():
            if opening in text:
                found += [tag[:_LONGEST_TAG] for tag in text.split(opening)[1:]]
    return any(_is_changed(opening, found) for opening, found in tags.items())


def _is_changed(opening: str, tags: list[str]) -> bool:
    # Each kind of bracket is looked at by itself: another one only ends a name, as a quotation mark does.
    others = str.maketrans(dict.fromkeys((other for other in OPENINGS if other != opening), '"'))
    text = "".join(opening + tag.translate(others) for tag in tags)
    return without_marks(text) != text
