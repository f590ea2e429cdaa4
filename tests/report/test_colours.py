"""The colours of the page, without a browser: text and drawings have enough contrast, light and dark."""

import re
from pathlib import Path

import pytest

import lessons.report.page

STYLE = Path(lessons.report.page.__file__).with_name("templates").joinpath("report.css").read_text(encoding="utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#\w{6});", block)) for block in re.findall(r":root \{(.*?)\}", STYLE, re.S)
)
TEXTS = ("text", "muted", "good", "bad", "blue")
DRAWN = ("good", "bad", "blue", "violet", "neutral")


def light(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_stand_out(colours: dict[str, str]) -> None:
    assert colours.keys() == LIGHT.keys()
    for behind in (colours["page"], colours["panel"]):
        assert {name: contrast(colours[name], behind) for name in TEXTS if contrast(colours[name], behind) < 4.5} == {}
        assert {name: contrast(colours[name], behind) for name in DRAWN if contrast(colours[name], behind) < 3} == {}
    for name in ("good", "neutral"):
        assert contrast(colours[name], colours[f"{name}-soft"]) >= 3
