"""`make bench`: prints each budget with the ratio measured in this run; exit code 1 if one is missed."""

import os
import sys

from bench import backtest, capture, command_line, file_check, history_verbs, hook, ledger, lesson_store, memory, replay
from bench.process_cost import Cost

ROUNDS = 60
_REPLAY_SECONDS = 60
_STATS_SECONDS = 2
_VERB_SECONDS = 1
_ADD_SECONDS = {10_000: 0.5, 100_000: 3}
_COMPARED_WITH_LIST, _ADD_TO_LIST = 10_000, 3
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
    state = hook.with_state(10_000, ROUNDS)
    row("hook, no lesson matches, 1,000 of them ask for a state", state["no match"].ratio, 1.3)
    row("hook, one that asks for a state matches", state["match"].ratio, 1.5)
    row("hook, its pattern matches, the state does not", state["pattern matches, state does not"].ratio, 1.5)
    slow = hook.at(10_000, max(10, ROUNDS // 3), fast=False)
    print(f"{'  fall-back path (no index), no match':<58} {slow['no match'].ratio:5.2f} ×")
    print(f"{'  fall-back path (no index), match':<58} {slow['match'].ratio:5.2f} ×")
    missed += memory_rows()
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
    missed += scan_rows()
    missed += backtest_rows()
    missed += replay_row()
    checked = file_check.over()
    print(f"\nFloor of a check: one pass of a compiled alternation over {checked.size / 1e6:.0f} MB in memory.\n")
    row("lessons check, 10,000 files, 100 rules", checked.ratio, 3.0)
    missed += ledger_row()
    missed += verb_rows()
    return 1 if missed else 0


def memory_rows() -> int:
    """The hook with a long memory by the clock, by the time of the processor and in instructions; and its index."""
    found = memory.measured(ROUNDS, counts_instructions=True)
    missed = 0
    for name, budget in memory.BUDGETS.items():
        result = found.hook[name]
        missed += result.ratio > budget
        verdict = f"{'≤' if result.ratio <= budget else 'MISSED, budget'} {budget} ×"
        print(f"{f'hook, memory of {memory.CALLS:,} calls: {name}':<58} {result.ratio:5.2f} ×   {verdict}", end="")
        print(f"; processor {result.processor_ratio:.2f} ×", end="")
        print(f", instructions {found.instructions[name]:.2f} ×" if found.instructions else "", flush=True)
    build = f"{found.build.processor_seconds:.1f} s of processor time, peak {found.build.megabytes:.0f} MB"
    print(f"  memory-index of {found.megabytes:.1f} MB made in {build}", flush=True)
    return missed


def scan_rows() -> int:
    """The budgets of reading transcripts; CORPUS names a folder of real ones, LARGEST the largest made file in MB,
    SCANNED_CALLS the number of calls in many short sessions."""
    print("\nFloor of a scan: every line decoded by msgspec into a typed struct with raw content, start-up excluded.\n")
    with capture.sample() as folder:
        speed = capture.speed(folder)
        fast, small = speed.ratio >= 0.20, speed.peak < 150
        what = f"full scan, one process ({speed.megabytes_a_second:.0f} MB/s)"
        print(f"{what:<58} {speed.ratio:5.2f} ×   {'≥' if fast else 'MISSED, budget'} 0.2 × the floor's speed")
        scan_details(speed)
        usual = capture.speed(folder, processes="0")
        what = f"  with the default number of processes ({usual.megabytes_a_second:.0f} MB/s)"
        print(f"{what:<58} {usual.ratio:5.2f} ×")
    print(f"{'  peak memory':<58} {speed.peak:5.0f} MB  {'<' if small else 'MISSED, budget'} 150 MB", flush=True)
    calls = int(os.environ.get("SCANNED_CALLS", "100000"))
    cost = capture.many_calls(calls)
    bounded = cost.megabytes < 150
    print(f"  {calls:,} calls in short sessions: {cost.processor:.0f} s of processor time,", end=" ")
    print(f"peak {cost.megabytes:.0f} MB  {'<' if bounded else 'MISSED, budget'} 150 MB", flush=True)
    largest = int(os.environ.get("LARGEST", "500"))
    for size in (10, 100, 500, 2000):
        if size <= largest:
            seconds, peak = capture.flat(size)
            print(f"  one file of {size:,} MB: {seconds:.1f} s a gigabyte, peak {peak:.0f} MB", flush=True)
    print(f"{'  two processes over 500 MB':<58} {capture.parallel(500):5.2f} × as fast as one", flush=True)
    inside, whole = capture.nothing_new(10_000)
    quick = inside <= 2
    what = "scan with nothing new, 10,000 files, floor: scandir + stat"
    print(f"{what:<58} {inside:5.2f} ×   {'≤' if quick else 'MISSED, budget'} 2.0 ×")
    print(f"{'  both with the start of Python':<58} {whole:5.2f} ×")
    return (not fast) + (not small) + (not bounded) + (not quick)


def scan_details(speed: capture.Speed) -> None:
    print(f"{'  by CPU time (minimum)':<58} {speed.processor_ratio:5.2f} ×")
    print("  " + ", ".join(f"{step} {share:.0%}" for step, share in speed.shares.items()), flush=True)


def backtest_rows() -> int:
    """The budget of the back-test; to take each line apart is more than any search does and has none."""
    missed = 0
    number = backtest.calls()
    print("\nFloor of the back-test: one pass of the compiled `search` over every command in memory.\n")
    for shells, what in ((1.0, "all commands"), (0.35, "a third commands")):
        with backtest.history(number, shells) as home:
            for name, found in backtest.measure(home).items():
                has_budget = name != backtest.TAKEN_APART
                quick = found.ratio <= 3
                missed += has_budget and not quick
                budget = f"   {'≤' if quick else 'MISSED, budget'} 3.0 ×" if has_budget else ""
                label = f"back-test, {number:,} calls, {what}: {name}"
                print(f"{label:<58} {found.ratio:5.2f} ×{budget}")
                print(f"  {found.hits:,} hits in {found.seconds:.2f} s", flush=True)
    return missed


def replay_row() -> int:
    """The budget of a replay is in seconds; CALLS is the length of the history, for which it is prorated."""
    number = backtest.calls()
    budget = _REPLAY_SECONDS * number / 1_000_000
    found = replay.measure(number)
    quick = found.processor_seconds <= budget
    print(f"\n{found.sessions:,} sessions repeat {found.mistakes:,} mistakes {found.repeats:,} times.\n")
    label = f"replay of {number:,} calls"
    verdict = f"{'≤' if quick else 'MISSED, budget'} {budget:g} s of processor time"
    print(f"{label:<58} {found.processor_seconds:5.1f} s   {verdict}")
    print(f"  {found.seconds:.1f} s by the clock, peak {found.megabytes:.0f} MB", flush=True)
    return not quick


def ledger_row() -> int:
    """The budget of `lessons stats` is in seconds, with the start of Python, after a scan over the same history."""
    number = backtest.calls()
    found = ledger.measure(number)
    quick = found.stats <= _STATS_SECONDS
    label = f"stats over {number:,} calls and 10,000 injections"
    verdict = f"{'≤' if quick else 'MISSED, budget'} {_STATS_SECONDS} s of processor time"
    print(f"\n{label:<58} {found.stats:5.2f} s   {verdict}")
    print(f"  {found.stats_by_the_clock:.2f} s by the clock, {found.opportunities:,} opportunities")
    judging = f"the scan that judges all of it {found.first_scan:.1f} s"
    print(f"  {judging}, the next one {found.next_scan:.2f} s", flush=True)
    return not quick


def verb_rows() -> int:
    """What a person waits for, in seconds of the processor: over a long history, and with many lessons.

    CALLS is the length of the history. Verbs that first work out what no scan has prepared have no budget.
    """
    number = backtest.calls()
    missed = 0
    print(f"\nVerbs over {number:,} calls: seconds of the processor, by the clock, peak memory.\n")
    for name, each in history_verbs.measure(number):
        has_budget = "nothing prepared" not in name
        quick = each.processor_seconds <= _VERB_SECONDS
        missed += has_budget and not quick
        budget = f"   {'≤' if quick else 'MISSED, budget'} {_VERB_SECONDS} s" if has_budget else ""
        print(f"{name:<58} {each.processor_seconds:5.2f} s   {_beside(each)}{budget}", flush=True)
    start = 0.0
    for count in lesson_store.SIZES:
        found = lesson_store.measure(count)
        start = start or found["add"].processor_seconds  # with the fewest lessons: next to nothing but imports
        print(f"\nVerbs with {count:,} lessons.\n")
        for name, each in found.items():
            most = _ADD_SECONDS.get(count) if name == "add" else None
            quick = most is None or each.processor_seconds - start <= most
            missed += not quick
            told = f"   {'≤' if quick else 'MISSED, budget'} {most} s beyond its start" if most else ""
            print(f"{name:<58} {each.processor_seconds:5.2f} s   {_beside(each)}{told}", flush=True)
        if count == _COMPARED_WITH_LIST:
            ratio = found["add"].processor_seconds / found["list"].processor_seconds
            missed += ratio > _ADD_TO_LIST
            print(f"{'add, floor: list':<58} {ratio:5.2f} ×   {'≤' if ratio <= _ADD_TO_LIST else 'MISSED,'} 3 ×")
    return missed


def _beside(each: Cost) -> str:
    return f"{each.seconds:7.2f} s {each.megabytes:5.0f} MB"


sys.exit(main())
