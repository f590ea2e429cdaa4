"""Adds the hook to an agent's settings and removes it, with the server that some agents can run."""

from typing import NamedTuple

from lessons.agents.base import InstallReport, Warn
from lessons.agents.table import installer_of, server_setup_of
from lessons.errors import Refused


class Installed(NamedTuple):
    """What was done to an agent's settings, and to the file with its servers."""

    agent: str
    report: InstallReport
    server: InstallReport | None = None

    @property
    def changed(self) -> list[InstallReport]:
        return [each for each in (self.report, self.server) if each and each.changed]

    def document(self, dry_run: bool) -> dict[str, object]:
        return {
            "agent": self.agent,
            "file": self.report.file,
            "changed": self.report.changed,
            "dryRun": dry_run,
            "diff": self.report.diff if dry_run else None,
            "clientConfig": self.server.document(dry_run) if self.server else None,
        }


class Request(NamedTuple):
    """Which file of an agent to change, and how."""

    agent: str
    file: str
    client_config: str | None = None
    dry_run: bool = False


def install(request: Request, home: str, warm: bool, warn: Warn) -> Installed:
    """Installs with the server (`warm`); otherwise removes an earlier server."""
    agent, file, dry_run = request.agent, request.file, request.dry_run
    setup = server_setup_of(agent)
    if setup is None:
        if warm:
            raise Refused(f"--warm does not work with {agent}: run `lessons install` without it.")
        return Installed(agent, installer_of(agent).install(file, home, dry_run))
    if warm:
        setup.refuse_unless_possible()
    return Installed(agent, *setup.install_hook(file, home, request.client_config, dry_run, warm, warn))


def uninstall(request: Request, warn: Warn) -> Installed:
    agent, dry_run = request.agent, request.dry_run
    report = installer_of(agent).uninstall(request.file, dry_run)
    setup = server_setup_of(agent)
    server = setup.unregister(request.client_config, report.file, dry_run, warn) if setup else None
    return Installed(agent, report, server)
