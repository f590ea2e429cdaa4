"""Which candidates are offered first: first those that are left to a starter lesson."""

from collections.abc import Sequence
from pathlib import Path

from lessons import config
from lessons.promote.first_lessons import right_as_they_stand
from lessons.promote.review_case import waiting
from tests.builders.candidates import Seen, put_into
from tests.builders.past import Past, failed, home_with
from tests.tables import table


def offered(home: Path, failures: Sequence[Past], worked: str) -> list[str]:
    """The candidates of a history with one mistake, seen in two sessions."""
    home_with(home, *failures, *(Past(command=worked) for _ in failures))
    seen = [
        Seen(f"s{place}", failed=f"t{place}", fixed=f"t{len(failures) + place}", uuid=f"u{place}")
        for place in range(len(failures))
    ]
    put_into(home, "mined", seen=seen, family=" ".join(failures[0].command.split()[:2]))
    settings = config.load(str(home), {})
    cases = waiting(str(home), settings, everything=True).cases
    return [case.candidate.fingerprint for case in right_as_they_stand(str(home), settings, cases)]


def twice(command: str, error: str) -> list[Past]:
    return [failed(f"{command} {number}", f"Exit code 1\n{error}", session=f"s{number}") for number in range(2)]


@table(
    ("failures", "worked"),
    [
        (twice("gh pr diff 7 --stat", "unknown flag: --stat"), "gh pr diff 7 --name-only"),
        # The pack says the opposite of what worked.
        (
            [
                failed("rm .git/index.lock && git pull", "Exit code 1\nrm: .git/index.lock: No such file or directory")
                for _ in range(2)
            ],
            "rm -f .git/index.lock && git pull",
        ),
        # It fires on what worked as well.
        (twice("git push --force --lux", "unknown option: --lux"), "git push --force"),
    ],
)
def test_what_the_starter_pack_is_about(failures: list[Past], worked: str, tmp_path: Path) -> None:
    assert offered(tmp_path, failures, worked) == []


def test_what_nothing_else_is_about(tmp_path: Path) -> None:
    assert offered(tmp_path, twice("lamp list --lux", "unknown flag: --lux"), "lamp list") == ["mined"]
