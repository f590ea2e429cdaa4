"""The totals of a run in, what they were when they were last kept beside them out; only numbers are ever kept."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from evals.corrections import Corrections
from evals.figures import Figures
from evals.replayed import Replays
from evals.triggers import Trial

KEPT = Path(__file__).with_name("totals.json")

Totals = dict[str, float]


def totals_of(figures: Figures, corrections: Corrections, trials: Sequence[Trial], replays: Replays) -> Totals:
    return {
        **{name.replace("_", " "): value for name, value in msgspec.to_builtins(figures).items()},
        "corrections": corrections.candidates,
        "correction precision": corrections.precision,
        "correction recall": corrections.recall,
        "triggers": len(trials),
        "triggers that do": sum(trial.is_good for trial in trials),
        **{
            f"{name} {what}": value
            for name, each in replays.items()
            for what, value in (
                ("repeats", each.repeats),
                ("caught", each.per_mistake.caught),
                ("at call", each.per_mistake.at_call),
                ("false alarms", each.false_alarms),
            )
        },
    }


def kept(file: Path = KEPT) -> Totals:
    """Nothing where no run was kept yet."""
    return msgspec.json.decode(file.read_bytes(), type=Totals) if file.exists() else {}


def keep(totals: Totals, file: Path = KEPT) -> None:
    file.write_bytes(msgspec.json.format(msgspec.json.encode(totals), indent=2) + b"\n")


def compared(now: Totals, before: Totals) -> Iterator[str]:
    yield f"{'':<22}{'now':>8}{'kept':>8}"
    for name, value in now.items():
        row = f"{name:<22}{value:>8g}"
        if name in before:
            row += f"{before[name]:>8g}"
            change = round(value - before[name], 3)
            row += f"  {change:+g}" if change else ""
        yield row
