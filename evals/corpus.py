"""A folder with labelled transcripts in, its labels out.

A folder with the name of the agent (`claude-code/`) holds the transcripts; `labels.jsonl` a verdict on every failed
call (`lesson`, `maybe`, `noise` or `protocol`, with a `key` that is the same for the same mistake);
`human-labels.jsonl` one on what people typed.
"""

from pathlib import Path
from typing import Literal

import msgspec


class Label(msgspec.Struct, frozen=True):
    """What a careful reader thinks of a failed call."""

    id: str
    verdict: Literal["lesson", "maybe", "noise", "protocol"]
    key: str | None = None
    kind: str | None = None


class HumanLabel(msgspec.Struct, frozen=True):
    """What a careful reader thinks of something that a person typed."""

    uuid: str
    verdict: Literal["correction", "steering", "other"]


Labels = dict[str, Label]  # by tool use id
HumanLabels = dict[str, HumanLabel]  # by uuid


def labels_in(folder: Path) -> Labels:
    rows = msgspec.json.Decoder(Label).decode_lines((folder / "labels.jsonl").read_bytes())
    return {label.id: label for label in rows}


def human_labels_in(folder: Path) -> HumanLabels:
    """None of them where the corpus has no such file."""
    file = folder / "human-labels.jsonl"
    rows = msgspec.json.Decoder(HumanLabel).decode_lines(file.read_bytes()) if file.exists() else []
    return {label.uuid: label for label in rows}
