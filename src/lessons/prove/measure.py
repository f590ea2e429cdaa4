"""The opportunities in which a lesson could change something, each with whether the mistake was made.

A stop or a block changes what comes instead of the call. A hint reaches the agent with the result of its call: it can
only change what is done later in the same context. Both are compared with the same measure before the lesson existed.
"""

from collections.abc import Iterable

import msgspec

from lessons.opportunity import Opportunity

_DENIALS = ("stop", "block")


def measured(opportunities: Iterable[Opportunity], is_hint: bool) -> list[Opportunity]:
    """Prepares rows for the effect: `failed` of a hint becomes whether the mistake was made later in the context."""
    if not is_hint:
        return [each for each in opportunities if each.decision != "hint"]
    able = (each for each in opportunities if each.decision not in _DENIALS)
    return [msgspec.structs.replace(each, failed=each.repeated) for each in able]
