"""The files for other models or people: one dossier or one answer per line."""

import os
from collections.abc import Iterable
from typing import BinaryIO, NamedTuple

import msgspec

from lessons.errors import Refused
from lessons.promote.refine.answer import decoded
from lessons.promote.refine.dossier import Dossier

_LARGEST_FILE = 32 << 20


class Line(NamedTuple):
    """A line of an answer file; the document is None if it is not JSON."""

    number: int
    document: object

    @property
    def fingerprint(self) -> str:
        name = self.document.get("fingerprint") if isinstance(self.document, dict) else None
        return name if isinstance(name, str) else f"line {self.number}"


def text_of(dossiers: Iterable[Dossier]) -> str:
    return "".join(msgspec.json.encode(dossier).decode() + "\n" for dossier in dossiers)


def write(path: str, dossiers: Iterable[Dossier]) -> None:
    """Writes a private file: the texts come from the user's sessions."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(file, "w", encoding="utf-8", newline="\n") as opened:
            if hasattr(os, "fchmod"):
                os.fchmod(file, 0o600)  # also if the file existed already
            opened.write(text_of(dossiers))
    except OSError as fault:
        raise Refused(f"{path} cannot be written: {fault.strerror}.") from None


def read(path: str, standard: BinaryIO | None = None) -> str:
    """Returns the content of the file, or of `standard` if given."""
    try:
        if standard is not None:
            data = standard.read(_LARGEST_FILE + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(_LARGEST_FILE + 1)
    except OSError as fault:
        raise Refused(f"{path} cannot be read: {fault.strerror}.") from None
    if len(data) > _LARGEST_FILE:
        raise Refused(f"{path} is larger than {_LARGEST_FILE >> 20} MB: split it.")
    return data.decode("utf-8", "replace")


def lines_of(text: str) -> list[Line]:
    """Skips empty lines; a file with one JSON list or object counts as its members."""
    whole = decoded(text)
    if isinstance(whole, list):
        return [Line(number, member) for number, member in enumerate(whole, start=1)]
    if isinstance(whole, dict):
        return [Line(1, whole)]
    numbered = enumerate(text.lstrip("\ufeff").splitlines(), start=1)
    return [Line(number, decoded(line)) for number, line in numbered if line.strip()]
