"""The files by which the platform starts the watcher: valid by the platform's own checker."""

import plistlib
import shutil
import subprocess
from pathlib import Path

import pytest

from lessons.errors import NotFound, Refused
from lessons.watch import service
from lessons.watch.service import Launchd, Systemd

HOMES = ("/home/some body/.local/share/lessons", '/odd "%h" $HOME\\x')


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
@pytest.mark.parametrize("home", HOMES)
def test_systemd_accepts_the_unit(home: str, tmp_path: Path) -> None:
    file = tmp_path / Systemd.name
    file.write_text(Systemd().text("/bin/sh", home), encoding="utf-8")
    command = ["systemd-analyze", "--user", "--man=no", "verify", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, env={"XDG_RUNTIME_DIR": str(tmp_path)}, check=False)
    assert [line for line in done.stderr.splitlines() if Systemd.name in line] == []


def test_only_a_command_has_variables() -> None:
    text = Systemd().text("/opt/$x%y/python", "/home/$a%b")
    assert 'Environment="LESSONS_HOME=/home/$a%%b"' in text
    assert 'ExecStart="/opt/$$x%%y/python" "-I"' in text


@pytest.mark.parametrize("home", HOMES)
def test_the_launchd_agent_is_a_property_list(home: str) -> None:
    document = plistlib.loads(Launchd().text("/bin/sh", home).encode())
    assert document["EnvironmentVariables"] == {"LESSONS_HOME": home}
    assert document["ProgramArguments"][-1] == "watch"


def test_install_and_uninstall(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("shutil.which", lambda name: "/bin/false")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    file = tmp_path / "systemd" / "user" / Systemd.name
    with pytest.raises(NotFound):
        service.uninstall(dry_run=False)
    assert service.install("/h", dry_run=True, starts=True).changed and not file.exists()
    assert service.install("/h", dry_run=False, starts=False).changed
    again = service.install("/h", dry_run=False, starts=True)
    # All that is left to run by hand.
    assert again.to_run == f"systemctl --user daemon-reload && systemctl --user enable --now {Systemd.name}"
    assert not again.changed
    assert 'Environment="LESSONS_HOME=/h"' in file.read_text("utf-8")
    assert service.uninstall(dry_run=True).changed and file.exists()
    service.uninstall(dry_run=False)
    assert not file.exists()


def test_other_platforms_are_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    with pytest.raises(Refused, match="not supported on this platform"):
        service.install("/h", dry_run=True, starts=False)
