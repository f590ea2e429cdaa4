"""Secrets and look-alikes written from the documentation of programs, before the rules for them.

A line of `fresh_secrets.txt` is a text, below the name of its group; the secret is between « and », and `⏎` ends a
line. Every third text was held back while the rules were written.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.redact.made_secrets import drawn

_TEMPLATE = re.compile(r"<(?:\d{1,3}[a-zA-Z]|uuid)>")


class Fresh(NamedTuple):
    group: str
    is_held_back: bool
    text: str
    secret: str


def _filled(template: str, seed: str) -> str:
    return _TEMPLATE.sub(lambda found: drawn(found[0], f"{seed} {found.start()}"), template).replace("⏎", "\n")


def _lines(name: str) -> list[str]:
    return (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()


def fresh_secrets() -> Iterator[Fresh]:
    group = ""
    for number, line in enumerate(_lines("fresh_secrets.txt")):
        if line.startswith("# "):
            group = line[2:]
            continue
        before, _, rest = _filled(line, f"fresh_secrets.txt {number}").partition("«")
        secret, _, after = rest.partition("»")
        yield Fresh(group, number % 3 == 2, before + secret + after, secret)


def fresh_look_alikes() -> list[str]:
    return [_filled(line, f"fresh {number}") for number, line in enumerate(_lines("fresh_look_alikes.txt"))]
