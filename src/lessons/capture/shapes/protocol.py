"""Whether a failed call broke a rule of the agent's own tools; their errors explain themselves."""

from lessons.episode import Step
from lessons.failure.clean import FRAME_START, is_of_client
from lessons.match.tools import canonical_name

_BLOCKED = f"{FRAME_START}Blocked: "


def is_blocked(step: Step) -> bool:
    """Whether the client refused to start the command: a rule about commands, which the next session breaks again."""
    return step.command != "" and step.error.startswith(_BLOCKED)


def is_protocol(step: Step) -> bool:
    """Whether it is neither a shell nor a server's tool, or a shell that was called in the wrong form."""
    if is_of_client(step.error):
        return True
    return canonical_name(step.tool) != "Bash" and not step.tool.startswith("mcp__")
