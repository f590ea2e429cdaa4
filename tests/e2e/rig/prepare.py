"""A machine with a network in, one that has all that the suite needs without a network out."""

import os
import shutil
import subprocess
import sys

from tests.e2e.rig import client, wheels
from tests.e2e.rig.client import Unprepared

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
    if missing() and shutil.which("apt-get") and os.getuid() == 0:
        packages = sorted({_PROGRAMS[name] for name in missing()})
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", "-qq", *command], env=environment, stdout=subprocess.DEVNULL)
    if missing():
        packages = sorted({_PROGRAMS[name] for name in missing()})
        raise Unprepared(f"{', '.join(missing())} not found: install {', '.join(packages)}.")


def missing() -> list[str]:
    return [name for name in _PROGRAMS if shutil.which(name) is None]


if __name__ == "__main__":
    sys.exit(main())
