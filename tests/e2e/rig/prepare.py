"""A machine with a network in, one that has all that the suite needs without a network out."""

import sys

from tests.e2e.rig import client, wheels
from tests.e2e.rig.client import Unprepared
from tests.programs import install_missing, packages

# Each program and the Debian package it comes with.
_PROGRAMS = {"tmux": "tmux", "ip": "iproute2", "unshare": "util-linux"}


def main() -> int:
    try:
        programs()
        client.install()
        wheels.gather()
    except Unprepared as fault:
        return client.explain(fault)
    return 0


def programs() -> None:
    """Root on Debian gets what is missing; others are told."""
    if missing := install_missing(_PROGRAMS):
        raise Unprepared(f"{', '.join(missing)} not found: install {', '.join(packages(_PROGRAMS))}.")


if __name__ == "__main__":
    sys.exit(main())
