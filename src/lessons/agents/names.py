"""Ids from transcripts, made safe to store and to look up again."""

_LONGEST_ID = 300
_CONTROL = dict.fromkeys((*range(32), 127))


def plain_id(given: str | None) -> str:
    """Without control characters, which end a text early for some who read it, and cut; nothing stays nothing."""
    if not given:
        return ""
    if not given.isprintable():
        given = given.translate(_CONTROL)
    return given if len(given) <= _LONGEST_ID else given[:_LONGEST_ID]
