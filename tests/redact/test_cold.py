"""Recall on secrets and false positives on look-alikes that were written without looking at the rules."""

import pytest

from lessons.redact.texts import redacted
from tests.redact.cold import cold_look_alikes, cold_secrets
from tests.redact.test_made_secrets import is_found


def test_recall_of_secrets_written_without_a_look_at_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    secrets = cold_secrets()
    groups = {
        "all": secrets,
        "named": [made for made in secrets if made.named],
        "bare": [made for made in secrets if not made.named],
        **{f"round {number}": [made for made in secrets if made.round == number] for number in (1, 2, 3)},
    }
    shares = {name: sum(map(is_found, group)) / len(group) for name, group in groups.items()}
    with capsys.disabled():
        print("\ncold: " + ", ".join(f"{name} {share:.3f} of {len(groups[name])}" for name, share in shares.items()))
    assert len(secrets) >= 500
    assert shares["all"] >= 0.93
    assert shares["named"] >= 0.95
    assert shares["bare"] >= 0.85


def test_look_alikes_written_without_a_look_at_the_rules_stay() -> None:
    texts = cold_look_alikes()
    changed = [text for text in texts if redacted(text) != text]
    assert len(changed) <= 0.04 * len(texts), changed
