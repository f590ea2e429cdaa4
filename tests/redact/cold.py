"""Secrets and look-alikes written without looking at the rules, in three rounds.

The made secrets (made_secrets.py) were written beside the rules and say little about kinds that nobody thought of. The
first two rounds were inspected when the rules were widened; of the third only the figures, then once.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

from tests.redact.made_secrets import drawn

_TEMPLATE = re.compile(r"<(?:\d{1,3}[a-zA-Z]|uuid)>")
_TELLING = re.compile(r"(?i)pass|pwd|\bpw\b|token|secret|key|auth|cred|cookie|bearer")


class Cold(NamedTuple):
    round: int
    kind: str
    text: str
    secret: str
    named: bool


def _lines(name: str) -> list[dict[str, object]]:
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _filled(template: str, seed: str) -> str:
    """Every `<36b>` of the template drawn; other angle brackets stay."""
    return _TEMPLATE.sub(lambda found: drawn(found[0], f"{seed} {found.start()}"), template)


def cold_secrets() -> list[Cold]:
    made = []
    for number, row in enumerate(_lines("cold_secrets.jsonl")):
        text, template = str(row["text"]), str(row["secret"])
        secret = _filled(template, f"cold {number}")
        whole = _filled(text, f"around {number}").replace("{SECRET}", secret)
        # What must not survive is the random part; a vendor's prefix may stand in the marker.
        random_part = secret[template.index("<") :] if "<" in template else secret
        made.append(
            Cold(
                int(str(row["round"])),
                str(row["kind"]),
                whole,
                random_part,
                bool(_TELLING.search(text.replace("{SECRET}", ""))),
            )
        )
    return made


def cold_look_alikes() -> list[str]:
    return [_filled(str(row["text"]), f"look {number}") for number, row in enumerate(_lines("cold_look_alikes.jsonl"))]
