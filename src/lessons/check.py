"""One finding of `lessons doctor`."""

from typing import NamedTuple


class Check(NamedTuple):
    name: str
    ok: bool
    detail: str
    fix: str = ""
