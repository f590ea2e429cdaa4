"""Which command of a line failed, and how certain that is."""

from lessons.shell.blame import blame, suspects
from tests.tables import table


@table("command", ["", "cd web", "echo a && true"])
def test_a_line_that_does_no_work(command: str) -> None:
    assert blame(command, "it went wrong", "it went wrong") is None


@table(
    ("command", "error", "program", "is_sure"),
    [
        ("make", "it went wrong", "make", True),
        ("cd web && make", "it went wrong", "make", True),
        ("make && shop sync", "it went wrong", "shop", False),
        ("make && shop sync", "make: *** no rule", "make", True),
        ("make --al && shop sync", "unknown option --al", "make", True),
        ("make && shop sync orders", "there are no 'orders'", "shop", True),
        ("shop add docs/a.md && make all", "these paths are ignored: docs", "shop", True),
        ("make; rm -r out", "it went wrong", "make", False),
        ("make | tee out.log", "it went wrong", "make", False),
    ],
)
def test_commands_to_blame(command: str, error: str, program: str, is_sure: bool) -> None:
    found = blame(command, error, error)
    assert found and (found.part.program, found.is_sure) == (program, is_sure)


@table(
    ("command", "error", "programs"),
    [
        ("make", "it went wrong", ["make"]),
        ("cd web && make && shop sync", "it went wrong", ["make", "shop"]),
        ("make && shop sync", "make: *** no rule", ["make"]),
        ("rm -r out && make && shop sync", "it went wrong", ["make", "shop"]),
        ("npm ci && make", "it went wrong", ["make"]),
        ("make && echo $LUX && shop sync", "it went wrong", ["make", "shop"]),  # who knows what was printed
        ("make; echo LOGS; shop sync", "it went wrong", ["make", "shop"]),
        ("make && echo LOGS && shop sync", "LOGS\nit went wrong", ["make", "shop"]),
        ("make && echo --LOGS-- && shop sync", "it went wrong", ["make"]),  # the rest did not run
        ("cd web && echo LOGS && make", "it went wrong", ["make"]),
        ("ssh box 'cd web && shop ps && echo LOGS && shop logs'", "it went wrong", ["shop"]),
        ("npm ci", "it went wrong", ["npm"]),
        ("mkdir out", "it went wrong", ["mkdir"]),
        ("ssh web 'cd /opt && make && shop sync'", "it went wrong", ["make", "shop"]),
        ("bash -c 'make --al && shop sync'", "unknown option --al", ["make"]),
        ("found=$(shop sync)", "it went wrong", ["shop"]),
        ("cd web", "it went wrong", []),
    ],
)
def test_suspects(command: str, error: str, programs: list[str]) -> None:
    assert [words[0] for words in suspects(command, error, error)] == programs
