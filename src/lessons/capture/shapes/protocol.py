"""A failed call in, whether it broke a rule of the agent's own tools out; their error texts explain themselves."""

from lessons.episode import Step
from lessons.match.tools import canonical_name


def is_protocol(step: Step) -> bool:
    """Everything that is neither a shell nor a server's tool; and shells that were kept from starting at all."""
    if "<tool_use_error>" in step.error[:200]:
        return True
    return canonical_name(step.tool) != "Bash" and not step.tool.startswith("mcp__")
