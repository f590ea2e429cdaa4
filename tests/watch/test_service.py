"""The files by which the platform starts the watcher: valid by the platform's own checker."""

import plistlib
import shutil
from pathlib import Path

import pytest

from lessons.errors import NotFound, Refused
from lessons.watch import launchd, service, systemd

HOMES = ("/home/some body/.local/share/lessons", '/odd "%h" $HOME\\x')


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
@pytest.mark.parametrize("home", HOMES)
def test_systemd_accepts_the_unit(home: str, tmp_path: Path) -> None:
    file = tmp_path / systemd.NAME
    file.write_text(systemd.text("/bin/sh", home), encoding="utf-8")
    assert systemd.problems(str(file)) == ""
    file.write_text(systemd.text("/no/such/python", home), encoding="utf-8")
    assert "not executable" in systemd.problems(str(file))


def test_only_a_command_has_variables() -> None:
    text = systemd.text("/opt/$x%y/python", "/home/$a%b")
    assert 'Environment="LESSONS_HOME=/home/$a%%b"' in text
    assert 'ExecStart="/opt/$$x%%y/python" "-I"' in text


def test_all_that_is_left_to_run_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: "/bin/false")
    assert systemd.start() == f"systemctl --user daemon-reload && systemctl --user enable --now {systemd.NAME}"


@pytest.mark.parametrize("home", HOMES)
def test_the_launchd_agent_is_a_property_list(home: str, tmp_path: Path) -> None:
    file = tmp_path / "agent.plist"
    file.write_text(launchd.text("/bin/sh", home), encoding="utf-8")
    assert launchd.problems(str(file)) == ""
    document = plistlib.loads(file.read_bytes())
    assert document["EnvironmentVariables"] == {"LESSONS_HOME": home}
    assert document["ProgramArguments"][-1] == "watch"
    file.write_text("no list", encoding="utf-8")
    assert launchd.problems(str(file))


def test_install_and_uninstall(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    file = tmp_path / "systemd" / "user" / systemd.NAME
    with pytest.raises(NotFound):
        service.uninstall(dry_run=False)
    assert service.install("/h", dry_run=True, starts=True).changed and not file.exists()
    assert service.install("/h", dry_run=False, starts=False).changed
    assert not service.install("/h", dry_run=False, starts=False).changed
    assert 'Environment="LESSONS_HOME=/h"' in file.read_text("utf-8")
    assert service.uninstall(dry_run=True).changed and file.exists()
    service.uninstall(dry_run=False)
    assert not file.exists()


def test_a_unit_that_the_platform_refuses_is_not_left_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(systemd, "problems", lambda file: "bad unit")
    with pytest.raises(Refused, match="bad unit"):
        service.install("/h", dry_run=False, starts=False)
    assert not (tmp_path / "systemd" / "user" / systemd.NAME).exists()


def test_other_platforms_are_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    with pytest.raises(Refused, match="not supported on this platform"):
        service.install("/h", dry_run=True, starts=False)
