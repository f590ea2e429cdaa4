"""Full or read-only disks: the hook exits 0, prints nothing but JSON, and blocks what it must."""

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.hook.installed import Answer, Machine, block, lesson, stop
from tests.shells import TRIED

# Mounts made in a namespace of their own: nobody else sees them, and they end with their last process.
NAMESPACE = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--map-root-user", "--mount"]
CALLS = ["pytest -q", "git push --force", "git push --force", "git stash", "git stash"]


def why_not_mountable(folder: Path) -> str:
    """Why no file system can be mounted here; nothing where it can."""
    line = [*NAMESPACE, "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    except OSError as error:
        return str(error)
    return done.stderr.strip() if done.returncode else ""


@pytest.fixture(params=TRIED)
def machine(tmp_path: Path, request: pytest.FixtureRequest) -> Machine:
    machine = Machine(tmp_path)
    machine.use_shell(request.param)
    machine.publish(block("flags", "pytest"), stop("force", "git push --force"), lesson("stash", "git stash"))
    return machine


@pytest.fixture
def mountable(machine: Machine) -> Machine:
    reason = why_not_mountable(machine.work)
    if reason:
        pytest.skip(f"NOT TESTED, full and read-only disks: this system does not let us mount a tmpfs ({reason})")
    return machine


def read_only(folder: Path) -> str:
    place = shlex.quote(str(folder))
    return f"mount --bind {place} {place} && mount -o remount,bind,ro {place}"


def full(folder: Path, inodes: bool) -> str:
    """A small disk with all that was in the folder, and not a byte more; with `inodes` not even an empty file."""
    place, aside = shlex.quote(str(folder)), shlex.quote(f"{folder}.aside")
    # tmpfs makes empty files as long as there are inodes: the count of them is reached by making files.
    use_up = f"n=0; while touch {place}/filler.$n 2>/dev/null; do n=$((n+1)); done" if inodes else ":"
    return (
        f"cp -a {place} {aside} && mount -t tmpfs -o size=64k,nr_inodes=40,mode=700 tmpfs {place}"
        f" && cp -a {aside}/. {place}/ && {{ cat /dev/zero >{place}/filler 2>/dev/null; {use_up}; }}"
        f" ; ! dd if=/dev/zero of={place}/proof bs=1 count=1 2>/dev/null"
    )


def answers(machine: Machine, mounts: list[str], calls: list[str], event: str = "PreToolUse") -> list[Answer]:
    """What the hook answers to calls of one session, all of them on the same disks."""
    folder = machine.root / "calls"
    folder.mkdir()
    for number, command in enumerate(calls):
        (folder / f"{number}.json").write_text(json.dumps(machine.bash(command)), encoding="utf-8")
    run_all = (
        f"cd {shlex.quote(str(folder))}; for payload in *.json; do"
        ' "$2" -c "$1" <$payload >$payload.out 2>$payload.error; echo $? >$payload.code; done'
    )
    script = "\n".join([*(f"{mount} || exit 99" for mount in mounts), run_all])
    line = ["/bin/sh", "-c", script, "sh", machine.commands[event], machine.sh]
    done = subprocess.run(
        [*NAMESPACE, *line] if mounts else line, env=machine.environment(), capture_output=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    found = []
    for number in range(len(calls)):
        name = str(folder / f"{number}.json")
        code = int(Path(f"{name}.code").read_text())
        found.append(Answer(code, Path(f"{name}.out").read_bytes(), Path(f"{name}.error").read_bytes()))
    return found


def decisions(found: list[Answer]) -> list[str]:
    assert all((answer.code, answer.error) == (0, b"") for answer in found), found
    return [answer.decision for answer in found]


def test_without_a_mount_this_is_what_happens(machine: Machine) -> None:
    # The two pushes are within a second: both are stopped.
    assert decisions(answers(machine, [], CALLS)) == ["deny", "deny", "deny", "hint", ""]


def test_a_read_only_data_home(machine: Machine) -> None:
    reason = why_not_mountable(machine.work)
    if reason and os.getuid() == 0:
        pytest.skip(
            f"NOT TESTED, a read-only data home: no mount ({reason}), and root may write whatever the mode says"
        )
    machine.home.chmod(0o500 if reason else 0o700)
    try:
        found = answers(machine, [] if reason else [read_only(machine.home)], CALLS)
    finally:
        machine.home.chmod(0o700)
    assert decisions(found) == ["deny", "deny", "deny", "hint", ""]
    assert not (machine.home / "injections.jsonl").exists(), "the home was not read-only"


def test_a_read_only_temporary_directory(mountable: Machine) -> None:
    machine = mountable
    found = answers(machine, [read_only(machine.temporary)], CALLS)
    assert decisions(found) == ["deny", "deny", "deny", "hint", ""]
    assert len(list((machine.home / "seen").rglob("force.stop"))) == 1


@pytest.mark.parametrize("with_index", [True, False])
def test_a_full_disk_under_the_data_home(with_index: bool, mountable: Machine) -> None:
    machine = mountable
    if not with_index:
        machine.index.unlink()
    found = answers(machine, [full(machine.home, inodes=False)], CALLS)
    assert decisions(found) == ["deny", "deny", "deny", "hint", ""]


@pytest.mark.parametrize("inodes", [False, True])
def test_a_full_disk_under_the_temporary_directory(inodes: bool, mountable: Machine) -> None:
    machine = mountable
    found = answers(machine, [full(machine.temporary, inodes)], CALLS)
    assert decisions(found) == ["deny", "deny", "deny", "hint", ""]
    claims = list((machine.home / "seen").rglob("force.stop"))
    assert len(claims) == (1 if inodes else 0), "an empty file needs no room, but an inode"


@pytest.mark.parametrize("event", ["SessionStart", "SubagentStart", "PostToolUseFailure"])
def test_the_other_events_on_full_disks(event: str, mountable: Machine) -> None:
    machine = mountable
    (machine.home / "config.json").write_text('{"lessonProtocol": "always"}', encoding="utf-8")
    machine.publish()
    mounts = [full(machine.home, inodes=True), full(machine.temporary, inodes=True)]
    (found,) = answers(machine, mounts, ["git stash"], event)
    assert (found.code, found.error) == (0, b"")
    assert found.decision == ("" if event == "PostToolUseFailure" else "hint")
