"""The data home and the product's own Python in, a rebuild waited for or a scan that outlives the hook out."""

import time

from lessons import paths
from lessons.hook.lookup import number
from lessons.store import faults, fired
from lessons.system import environment_of_child, system

_REBUILD_SECONDS = 4.0
_DEFAULT_SCAN_HOURS = 24


def rebuild_if_stale(home: str, python: str) -> None:
    """A hand-edited lessons.json takes effect from this session on; a build that takes long goes on by itself."""
    built = _time_of(paths.manifest_file(home))
    if max(_time_of(paths.lessons_file(home)), _time_of(paths.config_file(home))) <= built:
        return
    process = _start(home, python, "build", "--quiet")
    give_up = time.monotonic() + _REBUILD_SECONDS
    while process and time.monotonic() < give_up:
        finished, status = system.waitpid(process, system.WNOHANG)
        if finished:
            if status:
                faults.record(home, "SessionStart", "`lessons build` failed: run it to see why")
            return
        time.sleep(0.01)


def scan_if_due(home: str, python: str, config: dict[str, object]) -> None:
    """Reads the transcripts when the last scan is long enough ago; the mark keeps parallel sessions from doing so."""
    wait = 3600 * number(config, "autoScanIntervalHours", _DEFAULT_SCAN_HOURS)
    last = fired.last(home, "scan")
    if last is not None and time.time() - last < wait:
        return
    fired.touch(home, "scan")
    _start(home, python, "scan", "--auto")


def _time_of(path: str) -> int:
    try:
        return system.stat(path).st_mtime_ns
    except OSError:
        return 0


def _start(home: str, python: str, *arguments: str) -> int:
    """The process id of a `lessons` that belongs to no terminal and to no hook; 0 where it cannot be started."""
    environment = environment_of_child("LESSONS_HOME", home)
    command = [python, "-I", "-m", "lessons", *arguments]
    nowhere = [(system.POSIX_SPAWN_OPEN, number, "/dev/null", system.O_RDWR, 0) for number in (0, 1, 2)]
    try:
        try:
            return system.posix_spawn(python, command, environment, file_actions=nowhere, setsid=True)
        except NotImplementedError:
            return system.posix_spawn(python, command, environment, file_actions=nowhere, setpgroup=0)
    except OSError as fault:
        faults.record(home, "SessionStart", f"could not start {arguments[0]}: {faults.describe(fault)}")
        return 0
