"""Puts our hook's files onto a disk that is full, slow or does not answer; the client's own files stay.

A frozen file system holds every write in the kernel until it is thawed: not even SIGKILL ends a waiting process. A
dying disk or a lost network mount does the same, and no other substitute (a pipe, a stopped process) does.
"""

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from tests.e2e.rig import isolate
from tests.e2e.rig.world import World

_FROZEN_SECONDS, _THAWED_SECONDS = 0.6, 0.1
# A suite that is killed leaves no process behind that waits for ever.
_LONGEST_FREEZE_SECONDS = 200


@cache
def why_not_mountable() -> str:
    """Why no disk can be tried here; empty where it can."""
    if os.environ.get("LESSONS_E2E_NETWORK") == isolate.SHARED:
        return "LESSONS_E2E_NETWORK=shared, so a mount would be everybody's"
    try:
        with tempfile.TemporaryDirectory() as folder, _disk(Path(folder)) as place:
            _run("fsfreeze", "--freeze", str(place))
            _run("fsfreeze", "--unfreeze", str(place))
    except (OSError, subprocess.CalledProcessError) as fault:
        return f"no file system can be mounted and frozen here: {fault}"
    return ""


@contextmanager
def full_disk(world: World) -> Iterator[None]:
    """Not a byte and not a file more has room."""
    with ExitStack() as mounted:
        for place in _written(world):
            mounted.enter_context(_full(place))
        yield


@contextmanager
def slow_disk(world: World) -> Iterator[None]:
    """Each write takes up to half a second and more."""
    with _on_a_disk(world) as place:
        stop = threading.Event()
        breathing = threading.Thread(target=_freeze_now_and_then, args=(place, stop))
        breathing.start()
        try:
            yield
        finally:
            stop.set()
            breathing.join()


@contextmanager
def hanging_disk(world: World) -> Iterator[None]:
    """No write ever ends."""
    with _on_a_disk(world) as place:
        _run("fsfreeze", "--freeze", str(place))
        thaw = ["sh", "-c", f'sleep {_LONGEST_FREEZE_SECONDS}; fsfreeze --unfreeze "$1"', "sh", str(place)]
        guard = subprocess.Popen(thaw, stdin=subprocess.DEVNULL)
        try:
            yield
        finally:
            guard.kill()
            guard.wait()
            _run("fsfreeze", "--unfreeze", str(place))


def _written(world: World) -> list[Path]:
    """The data home, and the folder of claims in the temporary directory."""
    claims = world.temporary / f"lessons-{os.getuid()}"
    claims.mkdir(mode=0o700, exist_ok=True)
    return [world.data, claims]


def _freeze_now_and_then(place: Path, stop: threading.Event) -> None:
    while not stop.is_set():
        _run("fsfreeze", "--freeze", str(place))
        stop.wait(_FROZEN_SECONDS)
        _run("fsfreeze", "--unfreeze", str(place))
        stop.wait(_THAWED_SECONDS)


@contextmanager
def _full(place: Path) -> Iterator[None]:
    aside = Path(f"{place}.aside")
    shutil.copytree(place, aside)
    _run("mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=400,mode=700", "tmpfs", str(place))
    try:
        shutil.copytree(aside, place, dirs_exist_ok=True)
        # Files first: each needs an inode, and the last one takes what room there is.
        script = 'cd "$1"; n=0; while touch filler.$n 2>/dev/null; do n=$((n+1)); done; cat /dev/zero >filler.0'
        subprocess.run(["sh", "-c", script, "sh", str(place)], stderr=subprocess.DEVNULL)
        yield
    finally:
        _unmount(place)
        shutil.rmtree(aside)


@contextmanager
def _on_a_disk(world: World) -> Iterator[Path]:
    """All that the hook writes on one disk of its own."""
    with tempfile.TemporaryDirectory() as folder, _disk(Path(folder)) as disk, ExitStack() as mounted:
        for number, place in enumerate(_written(world)):
            shutil.copytree(place, disk / str(number))
            (disk / str(number)).chmod(0o700)
            mounted.enter_context(_bound(disk / str(number), place))
        yield disk


@contextmanager
def _disk(folder: Path) -> Iterator[Path]:
    image, place = folder / "image", folder / "disk"
    place.mkdir()
    with open(image, "wb") as file:
        file.truncate(16 << 20)
    _run("mkfs.ext4", "-q", "-F", str(image))
    _run("mount", "-o", "loop", str(image), str(place))
    try:
        yield place
    finally:
        _unmount(place)


@contextmanager
def _bound(source: Path, place: Path) -> Iterator[None]:
    _run("mount", "--bind", str(source), str(place))
    try:
        yield
    finally:
        _unmount(place)


def _unmount(place: Path) -> None:
    """Lazily: what a session has left behind may still have a file open."""
    _run("umount", "--lazy", str(place))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
