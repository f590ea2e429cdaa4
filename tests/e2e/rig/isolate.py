"""Runs a command without a network except loopback, with mounts visible only to that command."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.e2e.rig.client import Unprepared, explain

# The way out for machines that allow no namespaces.
SHARED = "shared"
# Clients read the instructions in all folders above a project, so that the tests run where nobody else leaves files.
_EMPTY_PARENT = "/mnt"
_SET_UP = f'ip link set lo up && mount --bind "$1" {_EMPTY_PARENT} && shift && TMPDIR={_EMPTY_PARENT} exec "$@"'


def main(command: list[str]) -> int:
    if os.environ.get("LESSONS_E2E_NETWORK") == SHARED:
        print("e2e: LESSONS_E2E_NETWORK=shared, so nothing keeps the client from the network.", file=sys.stderr)
        os.execvp(command[0], command)
    try:
        os.execvp("unshare", ["unshare", namespace(), *_set_up(command)])
    except Unprepared as fault:
        return explain(fault)


def namespace() -> str:
    """The flags with which this system lets us have a network and mounts of our own."""
    if shutil.which("unshare") is None:
        raise Unprepared("unshare not found: install util-linux.")
    for flags in ("-nm", "-rnm"):
        tried = subprocess.run(["unshare", flags, *_set_up(["true"])], capture_output=True)
        if tried.returncode == 0:
            return flags
    raise Unprepared(
        "This system allows no network namespace (neither `unshare -nm` nor `unshare -rnm` works): "
        "run as root, or set LESSONS_E2E_NETWORK=shared to run without isolation."
    )


def _set_up(command: list[str]) -> list[str]:
    folder = os.path.join(tempfile.gettempdir(), f"lessons-e2e-{os.getuid()}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return ["sh", "-c", _SET_UP, "sh", folder, *command]


def is_isolated() -> bool:
    """Whether every route of this process leads to loopback; what cannot be read counts as a way out."""
    try:
        lines = Path("/proc/self/net/route").read_text(encoding="ascii").splitlines()[1:]
        devices = {line.split()[0] for line in lines if line.strip()}
        newer = Path("/proc/self/net/ipv6_route")
        if newer.exists():
            devices |= {line.split()[-1] for line in newer.read_text(encoding="ascii").splitlines()}
    except OSError:
        return False
    return devices <= {"lo"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
