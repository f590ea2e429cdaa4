"""The starter pack: lessons about common mistakes of agents."""

import json
from importlib import resources

from lessons.store import lesson_file


def pack() -> list[dict[str, object]]:
    text = resources.files("lessons.promote").joinpath("starter.json").read_text(encoding="utf-8")
    records: list[dict[str, object]] = json.loads(text)["lessons"]
    return records


def missing(home: str) -> list[dict[str, object]]:
    """Returns the records that are not in lessons.json in any stage: a retired one is not offered again."""
    names = lesson_file.read(home).names()
    return [record for record in pack() if record["slug"] not in names]
