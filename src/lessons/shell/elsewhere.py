"""Finds programs that are started on another machine or in a container."""

from lessons.shell.line import parts
from lessons.shell.payload_table import CODE, WORDS
from lessons.shell.split import invocations

# They start a command on this machine.
_HERE = frozenset(
    ("bun run", "cross-env-shell", "git bisect run", "git submodule foreach", "newgrp", "pnpm run", "scl enable", "sg")
) | {"sops exec-env", "yarn run"}
_ELSEWHERE = tuple(f"{name} " for name in (*WORDS, *CODE) if name not in _HERE)


def carrier(command: str, program: str) -> str:
    """Returns `docker exec` or `ssh` if the line starts the program only through it; else an empty text."""
    if any(part.program == program for part in parts(command)):
        return ""
    texts = [text for found in invocations(command) for text in found]
    if not any(text.partition(" ")[0] == program for text in texts):
        return ""
    return next((name.strip() for text in texts for name in _ELSEWHERE if text.startswith(name)), "")
