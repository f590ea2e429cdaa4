"""Our plugin in opencode's folder: a foreign file stays, ours is added and removed as a whole."""

import json
import os
import subprocess
from pathlib import Path
from shutil import which

import pytest

from lessons.agents.opencode.install import INSTALLER, installed_places, plugin_text
from lessons.errors import Refused
from tests.tables import table


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "plugins" / "lessons.js"


def test_a_file_of_somebody_else_is_not_touched(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("export const Mine = 1\n")
    with pytest.raises(Refused, match="is not a plugin of lessons"):
        INSTALLER.install(str(file), "/home")
    with pytest.raises(Refused, match="is not a plugin of lessons"):
        INSTALLER.uninstall(str(file))
    assert (file.read_text(), INSTALLER.installed_commands(str(file))) == ("export const Mine = 1\n", {})


def test_it_comes_once_and_goes_without_a_trace(file: Path) -> None:
    assert INSTALLER.install(str(file), "/home", dry_run=True).changed and not file.exists()
    assert INSTALLER.install(str(file), "/home").changed and not INSTALLER.install(str(file), "/home").changed
    assert INSTALLER.install(str(file), "/other").changed, "another data home"
    places = installed_places(str(file))
    assert places is not None and places["home"] == "/other"
    assert all("--agent opencode" in command for command in INSTALLER.installed_commands(str(file)).values())
    assert INSTALLER.uninstall(str(file)).changed and not file.parent.exists()
    assert not INSTALLER.uninstall(str(file)).changed


@table("home", ["/with space", "/with'quote\"s", "/with\\back", "/with\u2028line", "/mit-ü"])
def test_any_path_can_stand_in_it(home: str) -> None:
    [line] = [line for line in plugin_text(home).split("\n") if line.startswith("const HOOK = ")]
    assert json.loads(line.removeprefix("const HOOK = "))["home"] == home and line.isascii()


@pytest.mark.skipif(which("node") is None, reason="no Node.js")
def test_no_variable_of_a_project_names_another_data_home(file: Path, tmp_path: Path) -> None:
    python, module = tmp_path / "python", file.with_suffix(".mjs")
    python.write_text(f'#!/bin/sh\nprintf %s "$LESSONS_HOME" >{tmp_path}/seen\n')
    python.chmod(0o755)
    INSTALLER.install(str(file), "/home")
    places = json.dumps({**(installed_places(str(file)) or {}), "python": str(python)})
    lines = [
        f"const HOOK = {places}" if line.startswith("const HOOK") else line for line in file.read_text().split("\n")
    ]
    call = "await (await Lessons({client: {}, directory: '/'}))['tool.execute.before']({sessionID: 's'}, {})"
    module.write_text("\n".join([*lines, call]))
    subprocess.run(["node", str(module)], check=True, timeout=60, env={**os.environ, "LESSONS_HOME": "/of/the/project"})
    assert (tmp_path / "seen").read_text() == "/home"


@pytest.mark.skipif(which("node") is None, reason="no Node.js")
def test_it_is_sound_javascript_and_survives_a_hook_that_is_gone(file: Path) -> None:
    INSTALLER.install(str(file), "/home")
    text = file.read_text().replace(json.loads(json.dumps(installed_places(str(file))))["python"], "/none/python")
    module = file.with_suffix(".mjs")
    module.write_text(
        text
        + """
const client = { session: { get: async () => { throw new Error("no") } } }
const hooks = await Lessons({ client, directory: "/shop" })
const output = { output: "printed", metadata: { exit: 3 }, args: {}, parts: [], context: [], message: {} }
for (const [name, hook] of Object.entries(hooks)) {
  await hook({ tool: "bash", sessionID: "s", callID: "c", event: { type: "session.idle", properties: {} } }, output)
  await hook(undefined, undefined)
  await hook({}, { messages: [{ info: {}, parts: [{ type: "tool", state: { status: "error", error: "x" } }] }] })
}
console.log(JSON.stringify(output))
"""
    )
    done = subprocess.run(["node", str(module)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert (told["output"], told["parts"], told["context"]) == ("printed", [], [])
