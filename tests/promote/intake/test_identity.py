"""Names: never one that is taken, never an unreadable one, and a hash anyone can compute again."""

import hashlib
import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.promote.intake import content_hash, new_id, slug_for
from tests.tables import table


class AlmostEverything(frozenset[str]):
    """Holds every name except those whose suffix starts with `z`."""

    def __contains__(self, name: object) -> bool:
        return "-z" not in str(name)[-5:]


def test_a_taken_slug_is_never_given() -> None:
    assert re.fullmatch(r"a-summary-z[a-z0-9]{3}", slug_for("A summary", AlmostEverything()))


BASES = [
    ("", "lesson"),
    ("日本語のまとめ", "lesson"),
    ("!!! ---", "lesson"),
    ("../../etc/passwd", "etc-passwd"),
    ("pytest hangs: no TTY", "pytest-hangs-no-tty"),
    ("Größe & Café don't matter", "grosse-cafe-dont-matter"),
    ("日本 with pytest", "with-pytest"),
    ("x" * 50, "x" * 40),
    ("pytest hangs in non-interactive envs due to TTY detection", "pytest-hangs-in-non-interactive-envs-due"),
    ("a" * 39 + " bcd", "a" * 39),
]


@table(("summary", "base"), BASES)
def test_the_readable_part_of_a_slug(summary: str, base: str) -> None:
    assert slug_for(summary, ())[:-5] == base


@given(st.text())
def test_any_summary_gives_a_slug(summary: str) -> None:
    slug = slug_for(summary, ())
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*-[a-z0-9]{4}", slug)
    assert len(slug) <= 45


def test_ids_are_ulids_and_different() -> None:
    ids = {new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(re.fullmatch(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", one) for one in ids)


def test_ids_sort_by_the_time_they_were_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for moment in (0, 1, 1_000, 1_700_000_000_000, 1_700_000_000_001, (1 << 48) - 1):
        monkeypatch.setattr("time.time_ns", partial(int, moment * 1_000_000))
        made.append(new_id())
    assert made == sorted(made)
    assert made[3].startswith("01HF7YAT00")  # the same moment in other implementations


def test_empty_parts_and_key_order_do_not_change_the_hash() -> None:
    full = {"toolNames": ["Bash"], "commandPatterns": ["é x"], "sessionStart": True}
    same = {
        "sessionStart": True,
        "commandPatterns": ["é x"],
        "pathPatterns": [],
        "matchOn": None,
        "when": {"os": []},
        "unless": "",
        "toolNames": ["Bash"],
    }
    text = 'the problem|the solution|{"commandPatterns":["é x"],"sessionStart":true,"toolNames":["Bash"]}'
    expected = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    assert content_hash("the problem", "the solution", full) == expected
    assert content_hash("the problem", "the solution", same) == expected


@table(
    "other",
    [
        ("problem.", "solution", {"toolNames": ["Bash"]}),
        ("problem", "solution.", {"toolNames": ["Bash"]}),
        ("problem", "solution", {"toolNames": ["Read"]}),
        ("problem", "solution", {"toolNames": ["Bash"], "sessionStart": True}),
        ("\ud800", "solution", {}),
    ],
)
def test_another_content_has_another_hash(other: tuple[str, str, dict[str, object]]) -> None:
    assert content_hash(*other) != content_hash("problem", "solution", {"toolNames": ["Bash"]})
