"""`make eval CORPUS=DIR`: labelled transcripts in, how good the candidates are out; KEEP=1 keeps the totals."""

import argparse
from pathlib import Path

from evals import agreement, report
from evals.corpus import human_labels_in, labels_in
from evals.corrections import corrections
from evals.figures import figures
from evals.mined import mined
from evals.replayed import about_replays, replays
from evals.totals import KEPT, compared, keep, kept, totals_of
from evals.triggers import trials
from lessons.agents.table import DEFAULT_AGENT


def main() -> None:
    parser = argparse.ArgumentParser(prog="make eval", description="How good mining is on labelled transcripts.")
    parser.add_argument("corpus", type=Path, help="a folder with AGENT/, labels.jsonl and human-labels.jsonl")
    parser.add_argument(
        "--agent", default=DEFAULT_AGENT, help="whose transcripts they are, and the name of their folder"
    )
    parser.add_argument("--keep", action="store_true", help="keep the totals for the next comparison")
    parser.add_argument("--totals", type=Path, default=KEPT, help="where they are kept")
    given = parser.parse_args()
    labels, human_labels = labels_in(given.corpus), human_labels_in(given.corpus)
    with mined(given.corpus / given.agent, given.agent) as found:
        queue = found.candidates
        tried = trials(found.home, queue)
        agreed = agreement.agreement(found.home, queue)
        walked = replays(found.home, labels)
    said = corrections(queue, human_labels)
    totals = totals_of(figures(queue, labels), said, tried, walked)
    parts = [
        compared(totals, kept(given.totals)),
        report.curve(queue, labels),
        report.by_kind(queue, labels),
        report.by_mistake(queue, labels),
        report.false_ones(queue, labels),
        report.about_corrections(said),
        report.about_triggers(tried, queue),
        about_replays(walked),
        agreement.about(agreed),
    ]
    print("\n\n".join("\n".join(lines) for lines in parts))
    if given.keep:
        keep(totals, given.totals)
    if agreed.differences:
        raise SystemExit("The back-test and the hook differ.")


main()
