"""How many calls in, a data home with a history of that length out: sessions made by the builders and really scanned,
then copied many times over, each copy on later days and with mistakes of its own."""

import random
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from itertools import islice
from pathlib import Path

from lessons import paths
from lessons.mistakes.group import Touched, candidates
from lessons.promote.queue import export
from lessons.scan.run import Options, run
from lessons.store.history.history import History
from tests.builders.client_lines import START, encode, owner_digits
from tests.builders.days import Did, on_day
from tests.builders.transcript import Session

SESSIONS = 100
_CALLS_OF_A_SESSION = 60
_DAYS = 4  # over which the sessions of one copy are spread
_PROJECTS = 10
# Stands for a number in names of files, and for the word that makes a mistake another one: so many words there are.
_NUMBER, _WORD = "@@", "qqword"
_WORDS = 25
_LETTERS = "abcdefghijklmnopqrstuvwxy"
_PROGRAMS = (
    "git push;git add;git log;git commit;gh pr diff;gh pr view;kubectl get;kubectl apply;docker build;docker run;"
    "npm install;npm run;cargo build;cargo test;terraform plan;terraform apply;aws s3;helm upgrade;pip install;go test;"
    "pytest;ruff check;psql;make;bun run;pnpm add;yarn add;mvn verify;gradle build;dotnet test;flutter build;rg;find;"
    "curl;jq;sed;ssh;rsync;tar;openssl"
).split(";")
_FIRST_DAY = START.date().isoformat().encode() + b"T"
_COMMON = ("ls src/part@@", "cat docs/part@@.md | head -20", "cd app && git status --short", "grep -rn total src/@@")


@contextmanager
def long_history(calls: int) -> Iterator[str]:
    """A data home whose candidates are those that mining makes of all these calls."""
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as folder:
        home = f"{folder}/home"
        for session in _sessions():
            session.write(Path(folder) / "projects")
        run(home, Options([f"{folder}/projects"], processes=1))
        with closing(sqlite3.connect(paths.history_file(home), isolation_level=None)) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN")
            _multiply(connection, calls // (SESSIONS * _CALLS_OF_A_SESSION))
            _mine(History(connection, home))
            connection.execute("COMMIT")
            with History.opened(home):
                pass  # as after every scan, all of it can be searched
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        export(home)  # as every scan does that finds something new
        yield home


def some_transcripts(folder: Path, count: int) -> None:
    """Writes so many of the sessions as they are."""
    for session in islice(_sessions(), count):
        session.write(folder)


def long_transcripts(folder: Path, calls: int) -> None:
    """Writes the same sessions as transcripts, copied until they contain this many calls."""
    made = [(session, b"".join(encode(line) + b"\n" for line in session.lines)) for session in _sessions()]
    for copy in range(calls // (SESSIONS * _CALLS_OF_A_SESSION)):
        below = folder / f"copy-{copy}"
        below.mkdir(parents=True)
        day = (START + timedelta(days=copy * _DAYS % 3_000)).date().isoformat().encode() + b"T"
        for number, (session, data) in enumerate(made):
            digits = b"%08x" % (copy * SESSIONS + number)
            session_id = f"{digits.decode()}{session.id[8:]}"
            own = data.replace(session.id.encode(), session_id.encode())
            own = own.replace(owner_digits(session.name).encode(), digits).replace(_FIRST_DAY, day)
            own = own.replace(_NUMBER.encode(), b"%d" % copy).replace(
                _WORD.encode(), b"w%c" % _LETTERS[copy % _WORDS].encode()
            )
            (below / f"{session_id}.jsonl").write_bytes(own)


def _sessions() -> Iterator[Session]:
    chance = random.Random(5)
    for number in range(SESSIONS):
        day = _DAYS * number / SESSIONS
        until = day + chance.uniform(0, 0.2)  # some go on while the next ones begin
        cwd = f"/home/dev/project-{number % _PROJECTS}"
        yield on_day(day, *_calls(chance), name=f"long {number}", cwd=cwd, until=until)


def _calls(chance: random.Random) -> list[Did]:
    """Most go well, a third of them are shell lines; one or two mistakes, most of them mended."""
    found: list[Did] = []
    for program, shape in zip(
        chance.sample(_PROGRAMS, chance.randrange(1, 3)), chance.sample(range(4), 2), strict=False
    ):
        found += _mistake(program, shape, chance.random() < 0.7)
    while len(found) < _CALLS_OF_A_SESSION:
        at = chance.randrange(len(found) + 1)
        if chance.random() < 0.6:
            path = f"/home/dev/src/part{_NUMBER}{at}.py"
            text = {"new_string": "total = 1\n" * 30} if chance.random() < 0.5 else {}
            found.insert(at, Did(tool="Edit" if text else "Read", arguments={"file_path": path, **text}))
        elif chance.random() < 0.3:
            found.insert(at, Did(chance.choice(_COMMON)))
        else:
            program = _PROGRAMS[min(int(chance.expovariate(0.15)), len(_PROGRAMS) - 1)]
            found.insert(at, Did(f"{program} --all part{_NUMBER}{at} 2>&1 | tail -{at}"))
    return found


def _mistake(program: str, shape: int, is_mended: bool) -> list[Did]:
    """An option that does not exist, a name that does not, an error that names nothing, a program that is not there."""
    wrong, right = {
        0: (Did(f"{program} --{_WORD} x{_NUMBER}", f"Exit code 1\nunknown flag: --{_WORD}"), f"{program} x{_NUMBER}"),
        1: (Did(f"{program} {_WORD}", f'Exit code 1\nerror: Missing script: "{_WORD}"'), f"{program} other"),
        2: (Did(f"{program} -x {_WORD}", f"Exit code 2\n{program}: error: too many arguments: {_WORD} it is"), program),
        3: (Did(f"{_WORD}ctl {program}", f"Exit code 127\nbash: {_WORD}ctl: command not found"), f"{program} --here"),
    }[shape]
    return [wrong, Did(right)] if is_mended else [wrong]


def _multiply(connection: sqlite3.Connection, times: int) -> None:
    """Each row once for every copy; what was scanned itself is deleted."""
    connection.execute("CREATE TEMP TABLE copies (n INTEGER, word TEXT, shift TEXT)")
    rows = [(n, f"w{_LETTERS[n % _WORDS]}", f"+{n * _DAYS} days") for n in range(times)]
    connection.executemany("INSERT INTO copies VALUES (?, ?, ?)", rows)
    for table in ("calls", "sessions", "episodes"):
        columns = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})") if row[1] != "id"]
        chosen = ", ".join(_copied(table, name) for name in columns)
        connection.execute(f"CREATE TEMP TABLE scanned_{table} AS SELECT * FROM {table}")
        connection.execute("DELETE FROM evidence")
        connection.execute(f"DELETE FROM {table}")
        copies = f"SELECT {chosen} FROM copies, scanned_{table} t ORDER BY n, t.rowid"
        connection.execute(f"INSERT INTO {table} ({', '.join(columns)}) {copies}")
    connection.execute("DELETE FROM candidates")


def _copied(table: str, column: str) -> str:
    """The value of a column in a copy."""
    if column in ("tool_use_id", "session_id", "uuid", "message_id"):
        return f"t.{column} || '-' || n"
    if column == "fix_tool_use_id":
        return "iif(t.fix_tool_use_id = '', '', t.fix_tool_use_id || '-' || n)"
    if column in ("time", "ended", "first_time", "last_time"):
        return f"strftime('%Y-%m-%dT%H:%M:%fZ', t.{column}, shift)"
    if column in ("command", "arguments", "path", "error", "program", "family", "signature", "before", "after"):
        return f"replace(replace(t.{column}, '{_NUMBER}', n), '{_WORD}', word)"
    if column == "error_fingerprint":
        return "iif(t.error_fingerprint = '', '', t.error_fingerprint || word)"
    return f"t.{column}"


def _mine(history: History) -> None:
    """The second half of mining: the episodes are those of the sessions that were copied."""
    touched = Touched()
    touched.add({row.tool_use_id: row.program for row in history.episodes.all()})
    history.candidates.replace(candidates(history, touched).written)
