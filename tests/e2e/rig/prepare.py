"""Prepares a machine with a network, so that the suite can run without one."""

import sys

from tests.e2e.rig import client, npm_client, wheels
from tests.e2e.rig.client import Unprepared
from tests.e2e.rig.clients import CLIENTS, NEEDED_BY
from tests.programs import install_missing, packages

# Each program and the Debian package it comes with.
_PROGRAMS = {"tmux": "tmux", "ip": "iproute2", "unshare": "util-linux"}


def main(names: list[str]) -> int:
    """Of the named clients, or of all."""
    try:
        programs()
        for name in with_needed(names) if names else CLIENTS:
            (client if name in client.EXECUTABLES else npm_client).install(name)
        wheels.gather()
    except Unprepared as fault:
        return client.explain(fault)
    return 0


def with_needed(names: list[str]) -> list[str]:
    if unknown := [name for name in names if name not in CLIENTS]:
        raise Unprepared(f"There is no client {unknown[0]}: name one of {', '.join(CLIENTS)}.")
    return [each for name in names for each in (name, *NEEDED_BY.get(name, ()))]


def programs() -> None:
    """Root on Debian gets what is missing; others are told."""
    if missing := install_missing(_PROGRAMS):
        raise Unprepared(f"{', '.join(missing)} not found: install {', '.join(packages(_PROGRAMS))}.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
