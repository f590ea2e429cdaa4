"""`make bench-check`: the budgets that a short run can tell, with twice the room, so that a noisy machine passes."""

import sys

from bench import hook, timing

ROOM = 2.0
LESSONS = 1_000
ROUNDS = 20


def main() -> int:
    at = hook.at(LESSONS, ROUNDS)
    paths = hook.with_paths(LESSONS, ROUNDS)
    rows = (
        (f"hook, no lesson matches, {LESSONS:,} lessons", at["no match"].ratio, 1.25),
        (f"hook, one lesson matches, {LESSONS:,} lessons", at["match"].ratio, 1.45),
        ("hook, checks paths, nothing to say", paths["path exists"].ratio, 1.35),
        ("hook, tells of a path in a folder above", paths["path exists above"].ratio, 1.6),
        ("lessons --help, floor: python -c pass", timing.help_text(ROUNDS).ratio, 3.0),
    )
    missed = 0
    for what, ratio, budget in rows:
        verdict = "ok" if ratio <= budget * ROOM else "FAILED"
        missed += verdict == "FAILED"
        print(f"{what:<48} {ratio:5.2f} ×   budget {budget} ×, at most {budget * ROOM} × here: {verdict}")
    return 1 if missed else 0


sys.exit(main())
