"""Programs that tests need: found on this machine, or installed from Debian's packages if possible."""

import os
import shutil
import subprocess
from collections.abc import Mapping


def missing(programs: Mapping[str, str]) -> list[str]:
    """The names that are not on PATH, of a mapping of programs to Debian packages."""
    return [name for name in programs if shutil.which(name) is None]


def install_missing(programs: Mapping[str, str]) -> list[str]:
    """Root on Debian gets what is missing; returns what is missing still."""
    if missing(programs) and shutil.which("apt-get") and os.getuid() == 0:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages(programs)]):
            subprocess.run(["apt-get", "-qq", *command], env=environment, stdout=subprocess.DEVNULL)
    return missing(programs)


def packages(programs: Mapping[str, str]) -> list[str]:
    """The packages of what is missing."""
    return sorted({programs[name] for name in missing(programs)})
