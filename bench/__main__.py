"""`make bench`: prints each budget with the ratio measured in this run; exit code 1 if one is missed."""

import sys

from bench import command_line, hook

ROUNDS = 60
COUNTS = (10, 100, 1_000, 10_000, 100_000)


def main() -> int:
    missed = 0

    def row(what: str, ratio: float, budget: float) -> None:
        nonlocal missed
        missed += ratio > budget
        print(f"{what:<58} {ratio:5.2f} ×   {'≤' if ratio <= budget else 'MISSED, budget'} {budget} ×", flush=True)

    print("Floor of the hook: `python -I -S -c pass`. The hook is the installed sh line, run as the agent runs it.\n")
    at = hook.at(10_000, ROUNDS)
    row("hook, no lesson matches, 10,000 lessons", at["no match"].ratio, 1.3)
    row("hook, one lesson matches, 10,000 lessons", at["match"].ratio, 1.5)
    print(f"{'  without the sh line, no match':<58} {at['no match, Python alone'].ratio:5.2f} ×")
    print(f"{'  without the sh line, match':<58} {at['match, Python alone'].ratio:5.2f} ×")
    slow = hook.at(10_000, max(10, ROUNDS // 3), fast=False)
    print(f"{'  fall-back path (no index), no match':<58} {slow['no match'].ratio:5.2f} ×")
    print(f"{'  fall-back path (no index), match':<58} {slow['match'].ratio:5.2f} ×")
    row("lessons --help, floor: python -c pass", command_line.help_text(ROUNDS).ratio, 3.0)
    print("\nThe hook by number of lessons (fast path | fall-back path):")
    for count in COUNTS:
        fast = hook.at(count, 20)
        slow = hook.at(count, 5, fast=False)
        print(
            f"{count:>9,}   no match {fast['no match'].ratio:5.2f} ×   match {fast['match'].ratio:5.2f} ×"
            f"   |   no match {slow['no match'].ratio:6.2f} ×   match {slow['match'].ratio:6.2f} ×",
            flush=True,
        )
    print("\nScan and back-test have budgets too; this version has neither.")
    return 1 if missed else 0


sys.exit(main())
