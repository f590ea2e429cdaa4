"""The toy agent's settings, with our hook as one line per event, and without it."""

import re

from lessons.agents.base import InstallReport
from lessons.agents.hook_command import places_of, write_script
from lessons.agents.install import SettingsInstaller, read_text, replace, report
from lessons.agents.trial import SettingsChecks

_OURS = re.compile(r"on (\w+) run (.*/lessons-hook.*)\n")


class ToyInstaller(SettingsInstaller):
    def install(self, settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
        if not dry_run:
            write_script(places_of(home))
        lines = [f"on {event} run {command}\n" for event, command in self.hook_commands(home).items()]
        return self._change(settings_file, "".join(lines), dry_run)

    def uninstall(self, settings_file: str, dry_run: bool = False) -> InstallReport:
        return self._change(settings_file, "", dry_run)

    def installed_commands(self, settings_file: str) -> dict[str, str]:
        return dict(_OURS.findall(read_text(settings_file) or ""))

    def _change(self, file: str, added: str, dry_run: bool) -> InstallReport:
        before = read_text(file)
        after = _OURS.sub("", before or "") + added
        replace(file, before, after, dry_run)
        return report(file, before, after)


INSTALLER = ToyInstaller("toy")
CHECKS = SettingsChecks("toy")
