"""docs/REFINE.md names every check, and every key of a dossier and of an answer."""

from pathlib import Path

import msgspec

from lessons.promote.refine import checks
from lessons.promote.refine.answer import SCHEMA
from lessons.promote.refine.dossier import Dossier

PAGE = (Path(__file__).parents[3] / "docs" / "REFINE.md").read_text("utf-8")


def test_every_check_is_documented() -> None:
    for check in (*checks.OF_WORDS, *checks.OF_TRIGGER, *checks.OF_TRIAL):
        assert f"`{check.__name__}`" in PAGE, check.__name__


def test_every_key_is_documented() -> None:
    answered = SCHEMA["properties"]
    assert isinstance(answered, dict)
    for key in (*answered, *(field.encode_name for field in msgspec.structs.fields(Dossier))):
        assert f"`{key}`" in PAGE, key
