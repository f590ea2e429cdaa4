"""A pair in, whether the very same call worked after something else was run out."""

import re

from lessons.capture.signals.pair import Pair, line_of
from lessons.episode import Change, Step

# What only looks cannot have helped.
_LOOKS = re.compile(
    r"(?:cd \S+ && )?(?:ls|cat|head|tail|grep|rg|find|echo|pwd|which|ps|sleep|date|stat|wc|tree|env|printenv|lsof|sed -n"
    r"|git (?:status|log|diff|show|branch|remote|rev-parse|blame|ls-files)|(?:docker|kubectl|podman)(?: compose)? (?:ps|logs|images|get|describe)"
    r"|gh \w+ (?:view|list|status|checks|diff)|(?:npm|pnpm|yarn|pip|brew) (?:ls|list|view|show|why|info))\b"
)


def change(pair: Pair) -> Change | None:
    if not _is_same(pair.failure, pair.fix):
        return None
    step = next((step for step in reversed(pair.between) if does(step)), None)
    if step is None:
        return None
    folders = line_of(step.command).folders
    if folders and folders[-1].rstrip("/") != pair.folder.rstrip("/"):
        return Change("wrong-path", "", f"cd {folders[-1]}")  # the shell stays there
    return Change("order-of-steps", "", step.command or step.tool)


def _is_same(failure: Step, fix: Step) -> bool:
    if failure.command:
        return failure.command.split() == fix.command.split()
    return failure.tool == fix.tool and failure.arguments == fix.arguments


def does(step: Step) -> bool:
    if step.outcome not in ("ok", "unknown"):  # what runs on in the background may be what was missing
        return False
    if step.command:
        return not _LOOKS.match(step.command)
    return step.tool.startswith("mcp__")
