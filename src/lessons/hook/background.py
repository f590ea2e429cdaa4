"""Starts the tool's own Python for work that the hook waits for, or that outlives it.

It builds, scans, looks for alerts, and saves what a session was doing.
"""

import time

from lessons import paths
from lessons.settings import setting
from lessons.started_by import VARIABLES
from lessons.store import claims, fired, logs, manifest, session_start_files, state_paths
from lessons.store.hook_index import HookIndex
from lessons.system import environment_of_child, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.agents.hook_event import HookEvent
    from lessons.store.state_paths import StatePaths

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
        logs.record_fault(home, "SessionStart", "`lessons build` failed: run it to see why")


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
    watched = fired.last(home, "watch")
    if watched is not None and -_CLOCK_SECONDS <= time.time() - watched < _WATCHER_SECONDS:
        return  # a watcher reads everything anyway
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


def look_for_alerts_if_due(home: str, python: str, place: "StatePaths", was_shown: bool) -> None:
    """Consolidates reviews and prepares the user's line for the next session start; limited to once per interval."""
    last = fired.last(home, "alerts")
    is_recent = last is not None and -_CLOCK_SECONDS <= time.time() - last < _ALERTS_SECONDS
    if is_recent and not was_shown and not session_start_files.reviews_are_due(place):
        return
    fired.touch(home, "alerts")
    session_start_files.touch_reviews(place)
    start(home, "SessionStart", python, "alerts", "--auto", "--cwd", place.root)


def start(home: str, event: str, python: str, *arguments: str, module: str = "lessons") -> "Ended | None":
    """Starts `lessons` detached from terminal and hook; returns None if it cannot be started."""
    environment = environment_of_child("LESSONS_HOME", home)
    for variable in VARIABLES:  # no agent runs this: what it decides is not recorded as an agent's
        environment.pop(variable, None)
        environment.pop(variable.encode(), None)
    command = [python, "-I", "-m", module, *arguments]
    try:
        return (_spawned if hasattr(system, "posix_spawn") else _detached)(command, environment)
    except (OSError, ValueError) as fault:  # also an argument that a process cannot take
        logs.record_fault(home, event, f"could not start {arguments[0]}: {logs.describe_fault(fault)}")
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


# The full command line loads far more than this work needs, and a compaction waits for it.
_WORKER = "lessons.continuity"


def root_of(event: "HookEvent", home: str) -> str:
    """Returns the project in which the session started; if its start was not seen, the current one."""
    return claims.remembered(home, event.session, "root") or state_paths.root_of(event.cwd)


def fix_root(event: "HookEvent", home: str) -> None:
    """Assigns the session to its current project; a resumed session keeps the earlier one."""
    if is_folder(event.cwd) and not is_folder(claims.remembered(home, event.session, "root")):
        claims.remember(home, event.session, "root", state_paths.root_of(event.cwd))


def spawn_save(event: "HookEvent", home: str, python: str, saved_by: str, *more: str) -> "Ended | None":
    """Returns None if there is nothing to save, or no interpreter to do it."""
    if not python or not event.session or size_of(event.transcript) <= 0:
        return None
    return spawn(event, home, python, "save", f"transcript={event.transcript}", f"by={saved_by}", *more)


def spawn_begin(event: "HookEvent", home: str, python: str) -> None:
    if python and event.session and is_folder(event.cwd):
        process = event.client if event.client.isdigit() and hasattr(system, "getuid") else "0"
        spawn(event, home, python, "begin", f"process={process}", now())


def spawn(event: "HookEvent", home: str, python: str, work: str, *words: str) -> "Ended | None":
    about = f"agent={event.agent}", f"session={event.session}", f"root={root_of(event, home)}"
    return start(home, event.kind, python, work, *about, *words, module=_WORKER)


def now() -> str:
    """The worker runs later, so it needs the time of the event."""
    return f"at={int(1000 * time.time())}"


def size_of(file: str) -> int:
    """Returns the size in bytes; -1 if it is not a regular file. For `DATABASE#SESSION` it is the database's size."""
    try:
        status = system.stat(file)
    except (OSError, ValueError):
        store, _, session = file.rpartition("#")
        return size_of(store) if store and "/" not in session else -1
    return status.st_size if status.st_mode & 0o170000 == 0o100000 else -1


def is_folder(path: str) -> bool:
    try:
        return bool(path) and system.stat(path).st_mode & 0o170000 == 0o040000
    except (OSError, ValueError):
        return False
