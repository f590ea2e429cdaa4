"""`make bench`: prints each budget with the ratio measured in this run; exit code 1 if one is missed."""

import os
import sys

from bench import capture, history_verbs, hook, lesson_store, memory, timing
from bench.process_cost import Cost

ROUNDS = 60
_LESSONS, _MANY_LESSONS = 1_000, 10_000
_CALLS = int(os.environ.get("CALLS", "300000"))
_VERB_SECONDS = 1
# The first build has nothing to start from.
_WITHOUT_BUDGET = ("nothing prepared", "build, the first", "back", "prepares")
_missed = 0


def row(what: str, value: float, budget: float, unit: str = "×", beside: str = "", at_least: bool = False) -> None:
    """Prints one figure and its budget."""
    global _missed
    holds = value >= budget if at_least else value <= budget
    _missed += not holds
    sign = "≥" if at_least else "≤"
    verdict = sign if holds else f"MISSED, budget {sign}"
    print(f"{what:<62} {value:6.2f} {unit}   {verdict} {budget} {unit}{beside}", flush=True)


def main() -> int:
    hook_rows()
    memory_rows()
    row("lessons --help, floor: python -c pass", timing.help_text(ROUNDS).ratio, 3.0)
    scan_rows()
    print(f"\nVerbs over {_CALLS:,} calls: seconds of the processor, by the clock, peak memory.\n")
    verb_rows(list(history_verbs.measure(_CALLS)))
    print(f"\nVerbs with {_LESSONS:,} lessons.\n")
    verb_rows(list(lesson_store.measure(_LESSONS).items()))
    return 1 if _missed else 0


def hook_rows() -> None:
    print("Floor of the hook: `python -I -S -c pass`. The hook is the installed sh line, run as the agent runs it.\n")
    for count, quiet, match in ((_LESSONS, 1.25, 1.45), (_MANY_LESSONS, 1.4, 1.6)):
        at = hook.at(count, ROUNDS)
        row(f"hook, no lesson matches, {count:,} lessons", at["no match"].ratio, quiet)
        row(f"hook, one lesson matches, {count:,} lessons", at["match"].ratio, match)
        print(f"{'  without the sh line, no match':<62} {at['no match, Python alone'].ratio:6.2f} ×")
        print(f"{'  without the sh line, match':<62} {at['match, Python alone'].ratio:6.2f} ×")
    state = hook.with_state(_LESSONS, ROUNDS)
    row("hook, no lesson matches, some ask for a state", state["no match"].ratio, 1.25)
    row("hook, one that asks for a state matches", state["match"].ratio, 1.45)
    row("hook, its pattern matches, the state does not", state["pattern matches, state does not"].ratio, 1.45)


def memory_rows() -> None:
    """The hook with a long memory by the clock, by the time of the processor and in instructions; and its index."""
    found = memory.measured(ROUNDS, counts_instructions=True)
    for name, budget in memory.BUDGETS.items():
        result = found.hook[name]
        beside = f"; processor {result.processor_ratio:.2f} ×"
        beside += f", instructions {found.instructions[name]:.2f} ×" if found.instructions else ""
        row(f"hook, memory of {memory.CALLS:,} calls: {name}", result.ratio, budget, beside=beside)
    build = f"{found.build.processor_seconds:.1f} s of processor time, peak {found.build.megabytes:.0f} MB"
    print(f"  memory-index of {found.megabytes:.1f} MB made in {build}", flush=True)


def scan_rows() -> None:
    """CORPUS names a folder of real transcripts, LARGEST the largest made file in MB."""
    print("\nFloor of a scan: every line decoded by msgspec into a typed struct with raw content, start-up excluded.\n")
    with capture.sample() as folder:
        speed = capture.speed(folder)
        what = f"full scan, one process ({speed.megabytes_a_second:.0f} MB/s), of the floor's speed"
        row(what, speed.ratio, 0.10, at_least=True, beside=f"; processor {speed.processor_ratio:.2f} ×")
        print("  " + ", ".join(f"{step} {share:.0%}" for step, share in speed.shares.items()), flush=True)
        row("  with two processes", capture.speed(folder, processes="2").ratio, 0.15, at_least=True)
    row("  peak memory", speed.peak, 150, "MB")
    largest = int(os.environ.get("LARGEST", "500"))
    for size in (10, 100, 500, 2000):
        if size <= largest:
            seconds, peak = capture.flat(size)
            row(f"  one file of {size:,} MB, {seconds:.1f} s a gigabyte: peak memory", peak, 150, "MB")
    inside, whole = capture.nothing_new(10_000)
    row("scan with nothing new, 10,000 files, floor: scandir + stat", inside, 2)
    print(f"{'  both with the start of Python':<62} {whole:6.2f} ×")


def verb_rows(found: list[tuple[str, Cost]]) -> None:
    """What a person waits for; what verbs have to work out that no scan has prepared has no budget."""
    for name, each in found:
        beside = f"  {each.seconds:7.2f} s {each.megabytes:5.0f} MB"
        if any(words in name for words in _WITHOUT_BUDGET):
            print(f"{name:<62} {each.processor_seconds:6.2f} s{beside}", flush=True)
        else:
            row(name, each.processor_seconds, _VERB_SECONDS, "s", beside)


sys.exit(main())
