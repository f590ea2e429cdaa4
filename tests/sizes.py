"""How much a test tries: little in `make test`, so that it takes minutes, and everything in `make stress`."""

import os

# The share of the examples that hypothesis tries, in per cent.
_SHARE = int(os.environ.get("EXAMPLES") or 20)
_FEWEST_EXAMPLES = 20


def size(variable: str, small: int) -> int:
    """What the environment says, as in `make stress`; else the small size."""
    return int(os.environ.get(variable) or small)


def examples(full: int) -> int:
    """The number of examples for a property that is tried with this many in `make stress`."""
    return min(full, max(_FEWEST_EXAMPLES, full * _SHARE // 100))
