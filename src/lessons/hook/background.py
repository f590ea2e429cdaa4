"""Starts the tool's own Python for work that the hook waits for, or that outlives it."""

import time

from lessons import paths
from lessons.hook.lookup import setting
from lessons.store import faults, fired, manifest, reviews_looked
from lessons.store.hook_index import HookIndex
from lessons.system import environment_of_child, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.store.project_state.state_paths import StatePaths

    # None while the process runs, then its exit status; 0 is success.
    Ended = Callable[[], int | None]

_REBUILD_SECONDS = 4.0
_CLOCK_SECONDS = 60
_WATCHER_SECONDS = 180  # a watcher updates its mark every minute
_ALERTS_SECONDS = 600


def rebuild_if_stale(home: str, python: str) -> None:
    """Applies a hand-edited lessons.json from this session on; a slow build continues in the background."""
    if not is_stale(home):
        return
    if wait_for(start(home, "SessionStart", python, "build", "--quiet"), _REBUILD_SECONDS):
        faults.record(home, "SessionStart", "`lessons build` failed: run it to see why")


def wait_for(ended: "Ended | None", seconds: float) -> int | None:
    """Returns the exit status; None if it was not started, or still runs after that time."""
    give_up = time.monotonic() + seconds
    while ended and time.monotonic() < give_up:
        status = ended()
        if status is not None:
            return status
        time.sleep(0.01)
    return None


def is_stale(home: str) -> bool:
    """Whether the index was built from other files than the current ones, or by another Python or version."""
    sources = manifest.sources(home)
    if sources[0] == (0, 0):
        return False  # no lessons.json: nothing to build from
    try:
        index = HookIndex(paths.hook_index_file(home), manifest.stamp(home) or (0, 0))
        return tuple(index.head["sources"]) != sources
    except Exception:
        return True


def scan_if_due(home: str, python: str, config: dict[str, object]) -> None:
    """Scans the transcripts if the last scan is old enough; the mark prevents parallel sessions from scanning too."""
    if _is_watched(home):
        return
    try:
        wait = 3600 * float(setting(config, "autoScanIntervalHours"))
    except ValueError:
        wait = 3600 * 24
    last = fired.last(home, "scan")
    # A mark in the future, by more than two machines' clocks differ, must not prevent the scan.
    if last is not None and -_CLOCK_SECONDS <= time.time() - last < wait:
        return
    fired.touch(home, "scan")
    start(home, "SessionStart", python, "scan", "--auto")


def _is_watched(home: str) -> bool:
    """Whether a watcher has been active recently: it reads everything anyway."""
    last = fired.last(home, "watch")
    return last is not None and -_CLOCK_SECONDS <= time.time() - last < _WATCHER_SECONDS


def look_for_alerts_if_due(home: str, python: str, place: "StatePaths", was_shown: bool) -> None:
    """Consolidates reviews and prepares the user's line for the next session start; limited to once per interval."""
    last = fired.last(home, "alerts")
    is_recent = last is not None and -_CLOCK_SECONDS <= time.time() - last < _ALERTS_SECONDS
    if is_recent and not was_shown and not reviews_looked.are_due(place):
        return
    fired.touch(home, "alerts")
    reviews_looked.touch(place)
    start(home, "SessionStart", python, "alerts", "--auto", "--cwd", place.root)


def start(home: str, event: str, python: str, *arguments: str, module: str = "lessons") -> "Ended | None":
    """Starts `lessons` detached from terminal and hook; returns None if it cannot be started."""
    environment = environment_of_child("LESSONS_HOME", home)
    command = [python, "-I", "-m", module, *arguments]
    try:
        return (_spawned if hasattr(system, "posix_spawn") else _detached)(command, environment)
    except (OSError, ValueError) as fault:  # also an argument that a process cannot take
        faults.record(home, event, f"could not start {arguments[0]}: {faults.describe(fault)}")
        return None


def _spawned(command: list[str], environment: dict[str, str]) -> "Ended":
    nowhere = [(system.POSIX_SPAWN_OPEN, number, "/dev/null", system.O_RDWR, 0) for number in (0, 1, 2)]
    try:
        process = system.posix_spawn(command[0], command, environment, file_actions=nowhere, setsid=True)
    except NotImplementedError:
        process = system.posix_spawn(command[0], command, environment, file_actions=nowhere, setpgroup=0)

    def ended() -> int | None:
        try:
            finished, status = system.waitpid(process, system.WNOHANG)
        except ChildProcessError:  # the parent ignores SIGCHLD
            return 0
        return status if finished else None

    return ended


def _detached(command: list[str], environment: dict[str, str]) -> "Ended":
    """Does the same on Windows, at the cost of an import."""
    import subprocess

    flags = ("CREATE_NO_WINDOW", "CREATE_NEW_PROCESS_GROUP")
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(
        command,
        stdin=nowhere,
        stdout=nowhere,
        stderr=nowhere,
        env=environment,
        creationflags=sum(getattr(subprocess, flag, 0) for flag in flags),
    )
    return process.poll
