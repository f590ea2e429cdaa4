"""The row of the toy agent: the test adds it to the table of a copy of the package."""

from lessons.agents.hook_event import AFTER_FAILURE, BEFORE_CALL, SESSION_START
from lessons.agents.table import AgentSpec, Hook

ROW = AgentSpec(
    "toy",
    "Toy",
    {"before": Hook(BEFORE_CALL), "failed": Hook(AFTER_FAILURE), "hello": Hook(SESSION_START)},
    settings="~/.toy/toy.conf",
    project_settings=".toy.conf",
    transcripts=("~/.toy/chats",),
    own=("transcript", "install"),
    asks_at="",
)
