"""A review log of many entries in Markdown, with difficult cases, and its expected content."""

import random
from typing import NamedTuple

# Spellings of one pattern each; the first three recur, the others do not.
RECURRING = {
    "unhandled promise rejection": [
        "Unhandled promise rejection",
        "unhandled-promise-rejections",
        "Promise rejections, unhandled",
    ],
    "missing input validation": ["Missing input validation", "Missing Input Validations", "input validation missing"],
    "naive datetime": ["Naive datetime", "naive datetimes", "NaiveDatetime"],
    "behaviour not sanitised": ["Behaviour not sanitised", "Behavior not sanitized"],
}
WORDS = (
    "alpha bravo carbon delta ember fjord glade harbor igloo jungle kettle lagoon meadow nectar orchid pebble".split()
)
TRAPS = (
    "\n```text\n#### Review #{n}9999: In a code block\n\n1. **Unhandled promise rejection**: quoted\n```\n",
    "\n<!--\n#### Review #{n}8888: In a comment\n1. **Missing input validation**: not said\n-->\n",
    "\n**Root Cause:** nobody looked\n\n**Prevention:**\n\n1. **Missing input validation** would be found by a test\n",
    "\n1. **Root Cause**: a heading in a list\n2. **Prevention:** another one\n",
    "\n##### Naive datetime\n\nA heading is no pattern.\n",
    "\n**Context:**\n\n- **Naive datetime** as a bullet outside of the patterns\n",
    "\n> 1. **Naive datetime**: quoted from another review\n",
)


class Planted(NamedTuple):
    """An entry of the log."""

    number: int
    title: str
    date: str
    pr: int | None
    patterns: list[str]  # as they are spelled
    fixed: int
    text: str


def planted_log(count: int = 200, seed: int = 18) -> list[Planted]:
    """Reviews whose patterns are known; every fifth has a trap in it."""
    chance = random.Random(seed)
    return [_planted(number, chance) for number in range(1, count + 1)]


def _planted(number: int, chance: random.Random) -> Planted:
    patterns = [f"{chance.choice(WORDS)} {chance.choice(WORDS)} {number}"]  # of this review alone
    if number % 4 == 0:
        patterns.append(chance.choice(chance.choice(list(RECURRING.values()))))
    if number in (7, 8, 9):
        patterns.append("Same pull request")  # three times, but in one pull request
    if number in (11, 111):
        patterns.append("Twice only")
    if number in (21, 22, 23):
        patterns.append("No pull request")
    pr = None if number in (21, 22, 23) else 3 if number in (7, 8, 9) else 1000 + number // 2
    date = f"2026-{1 + number % 12:02}-{1 + number % 28:02}"
    trap = TRAPS[number // 5 % len(TRAPS)].replace("{n}", str(number)) if number % 5 == 0 else ""
    fixed = number % 6
    lines = [
        f"{'#' * (2 + number % 3)} Review #{number}: Work {number} ({date})",
        "",
        f"**Source:** SonarCloud ({number % 3 + 1}), Qodo (1)",
        *([f"**PR:** #{pr}"] if pr is not None else []),
        f"**Fixed:** {fixed} | **Deferred:** 1 | **Rejected:** 0",
        "",
        *(["**Patterns Identified:**", ""] if number % 2 else []),
        *(f"{place}. **{name}**: found in `src/module_{number}.py:{place}`\n   - **Root Cause:** haste"
          for place, name in enumerate(patterns, start=1)),
        trap,
    ]  # fmt: skip
    return Planted(number, f"Work {number}", date, pr, patterns, fixed, "\n".join(lines))


def text_of(planted: list[Planted]) -> str:
    return "# Review log\n\nHow to write a review: begin with `#### Review #N:`.\n\n" + "\n\n".join(
        each.text for each in planted
    )
