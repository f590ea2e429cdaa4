"""Postings after any additions and removals lead to the lessons that are there, and to no other."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.store.postings import Keys, Postings
from tests.sizes import examples

KEYS: list[Keys] = [
    {"command": (1, 2)},
    {"command": (2,), "path": (7,)},
    {"command": None},
    {"tool:Bash": None, "tool:Edit": None},
    {"error": (2, 9)},
    {},
]


def led_to(postings: Postings) -> dict[tuple[str, int | None], list[int]]:
    """Every key that leads to a lesson -> the numbers of those lessons."""
    others = {**postings.always, **{f"tool:{name}": numbers for name, numbers in postings.tools.items()}}
    every: dict[tuple[str, int | None], list[int]] = {(kind, None): numbers for kind, numbers in others.items()}
    for kind, grams in postings.grams.items():
        every.update({(kind, gram): numbers for gram, numbers in grams.items()})
    return {key: sorted(numbers) for key, numbers in every.items() if numbers}


@settings(max_examples=examples(200), deadline=None)
@given(steps=st.lists(st.tuples(st.booleans(), st.integers(0, 100)), max_size=30))
def test_any_changes_lead_to_the_lessons_that_are_there(steps: list[tuple[bool, int]]) -> None:
    postings = Postings()
    there: dict[int, int] = {}  # number -> which keys
    for is_removal, chosen in steps:
        if is_removal and there:
            number = sorted(there)[chosen % len(there)]
            postings.remove(number, KEYS[there[number]], there.pop(number) % 2 == 0)
        else:
            which = chosen % len(KEYS)
            number = postings.add(KEYS[which], which % 2 == 0)
            assert number not in there
            there[number] = which
        postings = Postings.from_bytes(postings.to_bytes())
    expected: dict[tuple[str, int | None], list[int]] = {}
    for number, which in sorted(there.items()):
        for kind, grams in KEYS[which].items():
            for gram in (None,) if grams is None else grams:
                expected.setdefault((kind, gram), []).append(number)
    assert led_to(postings) == expected
    assert sorted(postings.session_start) == [number for number in sorted(there) if there[number] % 2 == 0]
    assert all(number < postings.numbers <= max(len(steps), 1) for number in there)
