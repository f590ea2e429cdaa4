"""Makes ids from transcripts safe to store and to look up."""

_LONGEST_ID = 300
_CONTROL = dict.fromkeys((*range(32), 127))


def plain_id(given: str | None) -> str:
    """Removes control characters, which end a text early for some readers, and cuts; empty stays empty."""
    if not given:
        return ""
    if not given.isprintable():
        given = given.translate(_CONTROL)
    return given if len(given) <= _LONGEST_ID else given[:_LONGEST_ID]
