"""FORMAT.md of an agent names every type of line that its reader knows."""

from pathlib import Path

from lessons.agents.claude_code import messages
from lessons.agents.claude_code import transcript as claude_code
from lessons.agents.codex import transcript as codex
from lessons.agents.copilot_cli import transcript as copilot_cli
from lessons.agents.qwen_code import transcript as qwen_code
from tests.tables import table


@table(
    ("module", "types"),
    [
        (claude_code, {*messages.HANDLERS, *claude_code.SILENT, "compact_boundary", "stop_hook_summary", "popAll"}),
        (codex, {*codex.HANDLERS, *codex.SILENT}),
        (copilot_cli, {*copilot_cli.HANDLED, *copilot_cli.SILENT}),
        (qwen_code, {*qwen_code.HANDLERS}),
    ],
)
def test_every_type_is_named(module: object, types: set[str]) -> None:
    text = Path(str(vars(module)["__file__"])).with_name("FORMAT.md").read_text("utf-8")
    assert [name for name in types if f"`{name}`" not in text] == []
    assert len(text.splitlines()) <= 90
