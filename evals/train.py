"""`make train CORPUS=DIR [HELD_OUT=DIR2]`: labelled transcripts in, the weights of a failed call out.

Prints how well each repository is told apart by weights that were trained without it. HELD_OUT gets those weights,
one file for each repository. Needs the extra `train`.
"""

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from evals.corpus import labels_in
from lessons.agents.table import DEFAULT_AGENT
from lessons.episode import Step
from lessons.mistakes import episodes
from lessons.mistakes.episodes import MOST_NUMBERS, Weights, probability, weight_features
from lessons.mistakes.failed_call import VARIABLE, WORD
from lessons.store.history.history import History

_SHIPPED = Path(episodes.__file__).with_name("weights.json")
_TARGETS = {"lesson": (True, 1.0), "maybe": (False, 0.5), "noise": (False, 1.0), "protocol": (False, 1.0)}
_REPOSITORIES = 4  # in which a word must occur to be a feature
_PROGRAM_CALLS = 3  # of a program whose name is then no feature
_STRENGTH = 0.3  # the inverse of the regularisation
_DIGITS = 4


class Failure(NamedTuple):
    """A failed call of a repository; the label is empty where nobody judged it."""

    features: dict[str, float]
    verdict: str


class Repository(NamedTuple):
    name: str
    failures: list[Failure]
    names: Counter[str]  # programs and tools, with their calls


def main() -> None:
    parser = argparse.ArgumentParser(prog="make train", description="Train the weights of failed calls.")
    parser.add_argument("corpus", type=Path, help="a folder with AGENT/projects/REPOSITORY/ and labels.jsonl")
    parser.add_argument("--held-out", type=Path, help="where to write the weights without each repository")
    parser.add_argument("--agent", default=DEFAULT_AGENT)
    parser.add_argument("--out", type=Path, default=_SHIPPED)
    given = parser.parse_args()
    verdicts = {name: label.verdict for name, label in labels_in(given.corpus).items()}
    folders = sorted(path for path in (given.corpus / given.agent / "projects").iterdir() if path.is_dir())
    repositories = [_repository(folder, given.agent, verdicts) for folder in folders]
    pooled: list[tuple[float, bool]] = []
    for repository in repositories:
        others = [other for other in repositories if other is not repository]
        trained = _trained(others)
        judged = list(_judged(repository, trained))
        pooled += judged
        print(f"{repository.name:<45}{len(judged):>5} failures   AUC {_auc(judged)}")
        if given.held_out:
            _write(given.held_out / f"{repository.name}.json", trained, others)
    auc = _auc(pooled)
    print(f"{'pooled':<45}{len(pooled):>5} failures   AUC {auc}")
    _write(given.out, _trained(repositories), repositories, {"aucWithoutTheRepository": auc})


def _repository(folder: Path, agent: str, verdicts: Mapping[str, str]) -> Repository:
    """Scans one repository into a data home of its own; the weights do not matter for what is read here."""
    with TemporaryDirectory(prefix="lessons-train-") as place:
        home, zeros = os.path.join(place, "data"), Path(place, "weights.json")
        zeros.write_bytes(msgspec.json.encode(Weights(0.0, {})))
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LESSONS_")}
        surroundings = {**kept, "HOME": place, "LESSONS_HOME": home, VARIABLE: str(zeros)}
        command = [sys.executable, "-m", "lessons", "scan", "--agent", agent, "--path", str(folder), "--json"]
        subprocess.run(command, env=surroundings, stdout=subprocess.DEVNULL, check=True)
        with History.for_reading(home) as history:
            threads = [thread.steps for thread in history.sessions.threads(history.ledger.sessions())]
    failures = [
        Failure(weight_features(steps, place), verdicts.get(step.tool_use_id, ""))
        for steps in threads
        for place, step in enumerate(steps)
        if step.outcome == "failed"
    ]
    names = Counter(name.lower() for steps in threads for step in steps for name in _names(step))
    return Repository(folder.name, failures, names)


def _names(step: Step) -> tuple[str, ...]:
    return (step.program,) if step.program else (step.tool,)


def _trained(repositories: Sequence[Repository]) -> Weights:
    """Trains twice: the second time with the features that say most."""
    vocabulary = _vocabulary(repositories)
    rows, targets, sizes = [], [], []
    for repository in repositories:
        for failure in repository.failures:
            if failure.verdict:
                target, size = _TARGETS[failure.verdict]
                rows.append({name: failure.features[name] for name in _kept(failure, vocabulary)})
                targets.append(target)
                sizes.append(size)
    columns = DictVectorizer()
    for _ in range(2):
        table = columns.fit_transform(rows)
        model = LogisticRegression(C=_STRENGTH, max_iter=2000).fit(table, targets, sample_weight=sizes)
        names, numbers = columns.get_feature_names_out(), model.coef_[0]
        spread = np.sqrt(np.asarray(table.multiply(table).mean(0)).ravel() - np.asarray(table.mean(0)).ravel() ** 2)
        most = {str(names[place]) for place in np.argsort(-np.abs(numbers) * spread)[: MOST_NUMBERS - 10]}
        rows = [{name: value for name, value in row.items() if name in most} for row in rows]
    found = {str(name): round(float(number), _DIGITS) for name, number in zip(names, numbers, strict=True)}
    return Weights(round(float(model.intercept_[0]), _DIGITS), found)


def _vocabulary(repositories: Sequence[Repository]) -> set[str]:
    """The words of errors of several repositories, without the names of programs and tools."""
    seen: Counter[str] = Counter()
    called: Counter[str] = Counter()
    for repository in repositories:
        seen.update({name for failure in repository.failures for name in failure.features if name.startswith(WORD)})
        called.update(repository.names)
    programs = {name for name, calls in called.items() if calls >= _PROGRAM_CALLS}
    enough = {name for name, number in seen.items() if number >= min(_REPOSITORIES, len(repositories))}
    return {name for name in enough if programs.isdisjoint(name.removeprefix(WORD).split())}


def _kept(failure: Failure, vocabulary: set[str]) -> Iterator[str]:
    return (name for name in failure.features if not name.startswith(WORD) or name in vocabulary)


def _judged(repository: Repository, trained: Weights) -> Iterator[tuple[float, bool]]:
    for failure in repository.failures:
        if failure.verdict not in ("", "maybe"):
            yield probability(trained, failure.features), failure.verdict == "lesson"


def _auc(judged: Sequence[tuple[float, bool]]) -> float:
    """How often a mistake weighs more than another failure; 0 where there is only one sort."""
    targets = [target for _, target in judged]
    return round(float(roc_auc_score(targets, [value for value, _ in judged])), 3) if len(set(targets)) > 1 else 0.0


def _write(
    file: Path, trained: Weights, repositories: Sequence[Repository], more: dict[str, object] | None = None
) -> None:
    labelled = sum(bool(failure.verdict) for repository in repositories for failure in repository.failures)
    provenance = {
        "made": datetime.now(UTC).date().isoformat(),
        "by": "make train",
        "repositories": len(repositories),
        "failures": labelled,
        **(more or {}),
    }
    document = {"provenance": provenance, "bias": trained.bias, "weights": trained.weights}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(msgspec.json.format(msgspec.json.encode(document, order="sorted"), indent=1) + b"\n")


if __name__ == "__main__":
    main()
