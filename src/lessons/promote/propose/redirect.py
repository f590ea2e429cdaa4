"""Handles output that is redirected into a missing folder: the trigger names it, and acts while it is absent."""

from lessons.model import Triggers, When
from lessons.promote.propose.mistake import Mistake
from lessons.promote.propose.words import literal
from lessons.shell.unopened import unopened_target

_REST = r"[\w.@+/$%{}-]*(?=[\s;|&)]|$)"  # no quote after it: an arrow in a text redirects nothing
_MAKES_IT = r"\b(?:mkdir|clone|cp|mv|tar|unzip|init|install)\b"


def redirect_trigger(mistake: Mistake) -> Triggers | None:
    """Returns a trigger if every failure redirects to the same relative path that the shell could not open."""
    found = [unopened_target(call.command or "", call.error or "") for call in mistake.failures]
    folders = {target.rpartition("/")[0] for target in found}
    if len(folders) != 1 or not (folder := folders.pop()):
        return None
    return Triggers(
        command_patterns=[rf"(?<![-=])>\s*(?:\./)?{literal(folder)}/{_REST}"],
        unless=[_MAKES_IT],
        match_on="command",
        when=When(absent=[folder]),
    )
