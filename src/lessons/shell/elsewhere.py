"""Finds programs that are started on another machine or in a container."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lessons.shell.commands import Code
from lessons.shell.global_options import forms
from lessons.shell.line import LONGEST_LINE
from lessons.shell.payload_table import BEHIND, CODE, OPTIONS, WORDS
from lessons.shell.script import Script
from lessons.shell.split import command_texts

if TYPE_CHECKING:
    from lessons.shell.commands import Payload

_MOST_DEPTH = 6
# They start a command on this machine.
_HERE = frozenset(
    (
        "bun run;chokidar;cross-env-shell;doppler run;entr;env;flock;flox activate;gdb;git bisect run;git difftool;"
        "git filter-branch;git rebase;git submodule foreach;guix shell;infisical run;lldb;newgrp;nix develop;"
        "nix shell;nix-shell;nodemon;npm exec;npm x;npx;pnpm run;runuser;scl enable;script;sg;sops exec-env;su;"
        "yarn run"
    ).split(";")
)
_ELSEWHERE = tuple(name for table in (WORDS, CODE, OPTIONS, BEHIND) for name in table if name not in _HERE)


def carrier(command: str, program: str) -> str:
    """Returns `docker exec` or `ssh` if the line starts the program only through it; else an empty text."""
    found = list(_carriers([Code(command[:LONGEST_LINE])], program, "", 0))
    return found[0] if found and all(found) else ""


def _carriers(payloads: "Sequence[Payload]", program: str, outer: str, depth: int) -> Iterator[str]:
    """Yields what carries the program, for each of its starts; an empty text where it runs here."""
    if depth > _MOST_DEPTH:
        return
    for payload in payloads:
        inner: list[Payload] = []
        name = ""
        if isinstance(payload, Code):
            Script(payload.text, 0, len(payload.text), inner).read()
        else:
            texts, inner = command_texts(payload)
            if any(text.partition(" ")[0] == program for text in texts):
                yield outer
            name = _name_of(texts)
        yield from _carriers(inner, program, outer or name, depth + 1)


def _name_of(texts: list[str]) -> str:
    shown = [f"{form} " for text in texts for form in forms(text)]
    return next((name for text in shown for name in _ELSEWHERE if text.startswith(f"{name} ")), "")
