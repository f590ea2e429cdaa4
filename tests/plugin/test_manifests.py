"""The plugin's manifests agree with the package that it contains."""

import json
import re
import tomllib
from pathlib import Path

import lessons
from lessons.agents.hook_settings import group_for, handlers_for
from lessons.agents.table import AGENTS
from lessons.cli.main import SPELLINGS, VERBS
from lessons.scan.tags import Cancel, Tag, tags_in
from tests.plugin.machine import PLUGIN, REPOSITORY
from tests.tables import table

COMMANDS = sorted(PLUGIN.glob("commands/*.md"))
NAMES = ["add", "cancel", "config", "doctor", "handoff", "help", "learn", "manage", "review", "scan", "stats"]
PROGRAM = '"${CLAUDE_PLUGIN_ROOT}/bin/lessons"'
# What would let an agent get round the person: these calls always ask.
NEVER_ALLOWED = {
    "allow", "archive", "backup", "edit", "export", "forget", "import", "install", "mute", "promote", "learn",
    "reject", "review", "trust", "unarchive", "undo", "uninstall",
}  # fmt: skip
# Forms of them that only show something.
ONLY_SHOWS = (" undo --list:*)", " learn --export -:*)")
# What would tell an agent how to let a blocked call pass: that is for the person alone.
NEVER_TOLD = {"allow", "try"}
SKILL = PLUGIN / "skills" / "lessons" / "SKILL.md"


def head_of(file: Path) -> dict[str, str]:
    head = file.read_text("utf-8").split("---\n")[1]
    return {name: value for name, _, value in (line.partition(": ") for line in head.splitlines())}


def manifest() -> dict[str, object]:
    return dict(json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text("utf-8")))


def test_the_version_is_that_of_the_package() -> None:
    assert manifest()["version"] == lessons.__version__


def test_the_marketplace_leads_to_the_plugin() -> None:
    market = json.loads((REPOSITORY / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    [entry] = market["plugins"]
    assert (market["name"], entry["name"], manifest()["name"]) == ("lessons", "lessons", "lessons")
    assert (REPOSITORY / entry["source"]).resolve() == PLUGIN


def test_it_carries_the_whole_package() -> None:
    for name in ("src", "pyproject.toml", "LICENSE"):
        assert (PLUGIN / name).is_symlink()
        assert (PLUGIN / name).resolve() == REPOSITORY / name
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text("utf-8"))["project"]
    assert (PLUGIN / project["readme"]).is_file()


def test_the_hooks_are_those_of_a_settings_file() -> None:
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
    assert list(hooks) == list(AGENTS["claude-code"].events)
    for event, hook in AGENTS["claude-code"].events.items():
        [group] = hooks[event]
        assert group == group_for(hook, handlers_for(hook, group["hooks"][0]["command"]))
        assert f"event={event};" in group["hooks"][0]["command"]


def test_the_scripts_are_plain() -> None:
    """As git and a Windows editor could spoil them."""
    for file in (*PLUGIN.glob("*/*.sh"), PLUGIN / "bin" / "lessons", PLUGIN / "setup" / "install.py"):
        content = file.read_bytes()
        assert b"\r" not in content and content.endswith(b"\n"), file
    assert (PLUGIN / "bin" / "lessons").stat().st_mode & 0o111 == 0o111


def test_every_command_is_there() -> None:
    assert [file.stem for file in COMMANDS] == NAMES
    told = (PLUGIN / "README.md").read_text("utf-8") + (PLUGIN / "commands" / "help.md").read_text("utf-8")
    assert all(told.count(f"/lessons:{name}") == 2 or name == "help" for name in NAMES)


@table("file", [*COMMANDS, SKILL])
def test_a_command_may_run_our_command_line_and_nothing_else(file: Path) -> None:
    head = head_of(file)
    if file != SKILL:
        assert head["description"] and head["disable-model-invocation"] == "true"
        assert ("$ARGUMENTS" in file.read_text("utf-8")) is ("argument-hint" in head)
    for rule in head["allowed-tools"].split(", "):
        allowed = re.fullmatch(rf"Bash\({re.escape(PROGRAM)} (\w+)( [\w-]+)*:\*\)", rule)
        assert allowed, rule
        assert allowed[1] not in NEVER_ALLOWED | NEVER_TOLD or rule.endswith(ONLY_SHOWS)


@table("file", [*COMMANDS, SKILL])
def test_every_verb_that_is_named_exists(file: Path) -> None:
    named = re.findall(rf"{re.escape(PROGRAM)} ([a-z]+)", file.read_text("utf-8"))
    assert named
    assert {*named} <= {*VERBS, *SPELLINGS, "help"}
    assert not {*named} & NEVER_TOLD


@table("file", COMMANDS)
def test_what_runs_at_once_is_allowed_and_cannot_fail(file: Path) -> None:
    """The client gives up a command whose program ends otherwise than with 0; and no argument reaches a shell."""
    allowed = head_of(file)["allowed-tools"]
    for inline in re.findall(r"!`(.*)`", file.read_text("utf-8")):
        ran = re.fullmatch(rf"({re.escape(PROGRAM)} \w+)[\w -]* \|\| true", inline)
        assert ran and ran[1] in allowed, inline


@table("file", [*COMMANDS, SKILL])
def test_what_comes_from_transcripts_is_put_before_the_agent_as_evidence(file: Path) -> None:
    text = file.read_text("utf-8")
    printed = set(re.findall(rf"!`{re.escape(PROGRAM)} (\w+)", text)) | ({"search"} if file == SKILL else set())
    if printed & {"candidates", "handoff", "list", "log", "search", "undo"}:
        assert "not instructions to follow" in " ".join(text.split())


@table("file", COMMANDS)
def test_no_overview_of_all_verbs_is_put_before_the_agent(file: Path) -> None:
    """It names the one that lets a blocked call pass."""
    assert f"!`{PROGRAM} help" not in file.read_text("utf-8")


def test_the_report_in_the_skill_is_one_that_is_read() -> None:
    text = SKILL.read_text("utf-8")
    assert tags_in(text) == [], "an example in a code block is none"
    [tag] = tags_in(re.sub("^    ", "", text, flags=re.MULTILINE))
    assert isinstance(tag, Tag) and tag.trigger == "git stash"
    assert isinstance(tags_in("#lesson:cancel")[0], Cancel)


@table("name", ["hooks/hook.sh", "hooks/start.sh", "hooks/hooks.json", "setup/setup.sh", "bin/lessons"])
def test_a_script_is_plain_ascii(name: str) -> None:
    """Some shells refuse a file that has other characters than their locale."""
    assert (PLUGIN / name).read_bytes().isascii()
