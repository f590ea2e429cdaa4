"""Recall on secrets built in code, false positives on look-alikes and on the standard library."""

import os
import sysconfig
from collections.abc import Iterator

import pytest

from lessons.redact.texts import redacted
from tests.redact.cold import Cold, cold_secrets
from tests.redact.continued import FORMS
from tests.redact.look_alikes import look_alikes
from tests.redact.made_secrets import Made, made_secrets
from tests.sizes import examples

_WINDOW = 8
_STEP = 100 // examples(100)
_OWN_TESTS = {"test", "tests", "site-packages", "idlelib", "__pycache__"}


def is_found(made: Made | Cold) -> bool:
    return has_vanished(made.text, made.secret)


def has_vanished(text: str, secret: str) -> bool:
    """Whether no eight characters in a row of the secret are left."""
    clean = redacted(text)
    if len(secret) < _WINDOW:
        return secret not in clean
    return not any(secret[i : i + _WINDOW] in clean for i in range(len(secret) - _WINDOW + 1))


def recall(secrets: list[Made]) -> float:
    return sum(map(is_found, secrets)) / len(secrets)


def test_the_set_is_large_and_the_same_in_every_run() -> None:
    secrets, again = made_secrets(), made_secrets()
    assert secrets == again
    assert len(secrets) >= 500 and len({made.kind for made in secrets}) >= 60
    assert len(look_alikes()) >= 300
    assert all(made.secret in made.text for made in secrets)


def test_recall_of_made_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    secrets = made_secrets()
    groups = {
        "all": secrets,
        "named": [made for made in secrets if made.named],
        "bare": [made for made in secrets if not made.named],
    }
    shares = {name: recall(group) for name, group in groups.items()}
    with capsys.disabled():
        print("\nrecall: " + ", ".join(f"{name} {share:.3f} of {len(groups[name])}" for name, share in shares.items()))
    assert shares["all"] >= 0.93
    assert shares["named"] >= 0.99
    assert shares["bare"] >= 0.85


def test_what_is_found_in_one_line_is_found_in_continued_lines() -> None:
    secrets: list[Made | Cold] = [*made_secrets(), *cold_secrets()]
    found = [made for made in secrets if "\n" not in made.text and is_found(made)]
    continued = [(form(made.text), made.secret) for made in found for form in FORMS]
    assert sum("\\\n" in text for text, _ in continued) > 4_000
    assert [text for text, secret in continued[::_STEP] if not has_vanished(text, secret)] == []


def test_look_alikes_stay(capsys: pytest.CaptureFixture[str]) -> None:
    texts = look_alikes()
    changed = [text for text in texts if redacted(text) != text]
    with capsys.disabled():
        print(f"\nlook-alikes: {len(changed)} of {len(texts)} changed")
    assert len(changed) <= 0.04 * len(texts)


def _library_lines() -> Iterator[str]:
    for base, folders, names in os.walk(sysconfig.get_paths()["stdlib"]):
        folders[:] = [folder for folder in folders if folder not in _OWN_TESTS]
        for name in names:
            if name.endswith(".py"):
                with open(os.path.join(base, name), encoding="utf-8", errors="replace") as file:
                    yield from file


def test_code_of_the_standard_library_stays(capsys: pytest.CaptureFixture[str]) -> None:
    lines = list(_library_lines())[::_STEP]
    changed = sum(redacted(line) != line for line in lines)
    with capsys.disabled():
        print(f"\nstandard library: {changed} of {len(lines)} lines changed")
    assert changed <= 0.0001 * len(lines)
