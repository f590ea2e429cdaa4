"""Finds the program that runs in place of the called one, by the usage that the error shows."""

import re


def wrapped_as(program: str, error: str) -> str:
    """Returns `lux git` if `git` was called and the usage is that of `lux git`; that is a setting of one place."""
    usage = re.search(
        rf"^[ \t]*usage: +([\w.-]{{1,40}} {re.escape(program)})(?= |$)", error, re.IGNORECASE | re.MULTILINE
    )
    return usage[1] if usage and usage[1].split()[0] != program else ""
