"""Recall on secrets of many programs by group, and false positives on look-alikes of theirs."""

from collections import Counter

import pytest

from lessons.redact.texts import redacted
from tests.redact.fresh import fresh_look_alikes, fresh_secrets
from tests.redact.test_made_secrets import has_vanished

_MOST_LEAKS = {"options": 6, "verbs": 6, "exports": 0, "urls": 4, "config": 6, "headers": 4, "phrases": 2, "breaks": 3}


def test_few_secrets_of_each_group_are_left(capsys: pytest.CaptureFixture[str]) -> None:
    secrets = list(fresh_secrets())
    left = [made for made in secrets if not has_vanished(made.text, made.secret)]
    leaks, sizes = Counter(made.group for made in left), Counter(made.group for made in secrets)
    with capsys.disabled():
        print("\nfresh: " + ", ".join(f"{group} {leaks[group]} of {size}" for group, size in sizes.items()))
    assert all(made.secret and made.secret in made.text for made in secrets)
    assert len(secrets) >= 600
    assert all(leaks[group] <= _MOST_LEAKS[group] for group in sizes), [made.text for made in left]


def test_look_alikes_of_programs_stay() -> None:
    texts = fresh_look_alikes()
    changed = [text for text in texts if redacted(text) != text]
    assert len(texts) >= 350
    assert len(changed) <= len(texts) / 80, changed
