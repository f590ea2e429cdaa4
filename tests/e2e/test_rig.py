"""The rig itself: nothing but loopback is reachable, and a suite that cannot run says so instead of passing."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import SHARED
from tests.e2e.rig import client
from tests.e2e.rig.clients import CLIENTS
from tests.e2e.rig.script import bash, say
from tests.e2e.rig.world import World

ROOT = Path(__file__).resolve().parents[2]


def run(command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)


def test_nothing_but_loopback_can_be_reached() -> None:
    nobody = ("192.0.2.1", 80)  # where the network is shared, no one answers there either
    with pytest.raises(OSError):
        socket.create_connection(nobody, timeout=2)


def test_client_is_the_pinned_one() -> None:
    done = subprocess.run([client.binary(), "--version"], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith(client.VERSION)


def test_script_that_does_not_fit_fails_the_test(world: World) -> None:
    with pytest.raises(AssertionError, match="too short"):
        world.run("Begin.", [bash("true")])
    with pytest.raises(AssertionError, match="nobody asked"):
        world.run("Begin.", [say("Done."), say("Never heard.")])


def test_what_fails_before_an_answer_fails_the_test(world: World) -> None:
    def fails() -> None:
        raise ValueError("in the middle")

    with pytest.raises(ValueError, match="in the middle"):
        world.run("Begin.", [say("Done.").after(fails)])


@pytest.mark.skipif(SHARED, reason="the client can be installed there")
def test_no_registry_is_one_sentence_and_a_failure(tmp_path: Path) -> None:
    no_retry = {"npm_config_fetch_retries": "0", "npm_config_registry": "http://127.0.0.1:9"}

    done = run(
        [sys.executable, "-m", "tests.e2e.rig.prepare"],
        LESSONS_E2E_CACHE=str(tmp_path),
        npm_config_cache=str(tmp_path / "npm"),
        **no_retry,
    )

    assert done.returncode == 1
    assert done.stderr.startswith("e2e: npm could not install") and done.stderr.count("\n") == 1
    assert list(tmp_path.glob("claude-code*")) == []


def test_missing_client_fails_the_tests(tmp_path: Path) -> None:
    done = run([sys.executable, "-m", "pytest", "-q", "tests/e2e/test_hint.py"], LESSONS_E2E_CACHE=str(tmp_path))

    assert done.returncode == 1
    assert f"No {CLIENTS[client.DEFAULT][0]} {client.VERSION} in {tmp_path}" in done.stdout


def test_opting_out_is_said_aloud() -> None:
    done = run(["make", "--no-print-directory", "e2e"], LESSONS_E2E="off", MAKEFLAGS="")

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "e2e: NOT RUN, because LESSONS_E2E=off: nothing was tried with the real client\n"
