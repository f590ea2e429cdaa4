"""How many calls in, a data home whose history has that length out: as varied as real ones, mined and remembered.

Hundreds of programs with sub-commands and options, some in every project and most in a few; files of each project;
every tenth call fails, with an error of about fifty words. Half of the failures are mistakes, most of them followed by
a sentence of the agent and a call that works; the others are checks that find something, followed by an edit. All of it
comes from a seed.
"""

import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

from msgspec.structs import replace

from lessons.scan.run import mine_again
from lessons.shell.describe import program_of
from lessons.store.history import database
from lessons.store.history.history import History
from tests.builders.client_lines import START
from tests.builders.past import Past, fill

_CALLS_OF_A_SESSION = 60
_DAYS = 365
_PROJECTS, _PROGRAMS, _PROGRAMS_OF_A_PROJECT, _WORDS = 40, 400, 60, 6_000
_PROGRAMS_OF_ALL, _MISTAKES_OF_A_PROJECT = 20, 120
_SHELL_SHARE, _FAILED_SHARE, _MISTAKEN_SHARE, _MENDED_SHARE = 0.5, 0.1, 0.5, 0.75
_REPEATED_SHARE = 0.8  # of the mistakes: made before in the project, with another file
_SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu zan ber kel mor tin".split()
_ENDINGS = (".py", ".ts", ".go", ".md", ".json", ".rs")
_COMPLAINTS = (
    "error: unexpected argument '{option}' found\n\n  tip: a similar argument exists\n\nUsage: {program} {verb}"
    " [OPTIONS] <{word}>\n\nFor more information, try '--help'.",
    "{program}: error: unrecognized arguments: {option}\nusage: {program} {verb} [-h] [{second}] {word} ...",
    "{program}: {path}: No such file or directory",
    "fatal: ambiguous argument '{word}': unknown revision or path not in the working tree.",
    "Error: Cannot find module '{path}'\nRequire stack:\n- {path}\n    at {word}.resolve ({path}:12:9)",
    'Traceback (most recent call last):\n  File "{path}", line 41, in {word}\n    {word}.{second}({third})\n'
    "AttributeError: module '{word}' has no attribute '{second}'",
    "error TS2345: Argument of type '{word}' is not assignable to parameter of type '{second}'.\n  {path}:10:3",
    "ERROR: {word} {second} could not be resolved, permission denied for {third}",
    "invalid value '{word}' for '{option}'\n  [possible values: {second}, {third}]",
    "",
)
_FOUND = (
    "FAILED {path}::test_{word} - AssertionError: actual {second}, expected {third}\n1 failed, 41 passed in 3s",
    "{path}:12:5: lint: {word} is defined after its use, fix it before the next commit\n2 errors in 41 files checked",
    "FAIL {path}\n  expected {word} to equal {second}, data of {third} did not exist\ncommit could not pass all checks",
)


_SAID = """
INSERT INTO diagnoses (key, uuid, agent, session_id, agent_id, project, time, tool_use_id, number, text, source_id,
                       segment, position, copied)
SELECT id, '', agent, session_id, agent_id, project, time, tool_use_id, 0,
       'That did not work: `' || program || '` has no such option here. I look at its help and run it without.',
       source_id, segment, position, copied
FROM calls WHERE outcome = 'failed' AND id % 2
"""


@contextmanager
def varied_history(calls: int) -> Iterator[str]:
    """The projects are empty repositories beside the data home."""
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as folder:
        home = f"{folder}/home"
        write_history(home, calls, f"{folder}/projects")
        yield home


def write_history(home: str, calls: int, projects: str) -> None:
    """Stores the calls; mining and memory are those of a scan."""
    with History.opened(home) as history:
        history.redaction.update(home)  # as the first scan does, before there are texts
    with database.opened(home) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        fill(connection, _calls(calls, projects))
        connection.execute(_SAID)
        for (folder,) in connection.execute("SELECT DISTINCT cwd FROM calls"):
            os.makedirs(f"{folder}/.git")
    mine_again(home)


def _calls(calls: int, folder: str) -> Iterator[Past]:
    chance = random.Random(29)
    words = sorted({"".join(chance.choices(_SYLLABLES, k=chance.randrange(2, 5))) for _ in range(_WORDS)})
    programs = [_Program(chance, words) for _ in range(_PROGRAMS)]
    projects = [_Project(chance, f"{folder}/{word}", words, programs) for word in chance.sample(words, _PROJECTS)]
    sessions = calls // _CALLS_OF_A_SESSION
    for number in range(sessions):
        # Few projects have most of the sessions.
        project = projects[min(int(chance.expovariate(0.1)), _PROJECTS - 1)]
        yield from project.session(f"session-{number}", _DAYS * number / sessions)


class _Program:
    def __init__(self, chance: random.Random, words: Sequence[str]) -> None:
        self.name, *self.verbs = chance.sample(words, chance.randrange(4, 12))
        self.options = [f"--{word}" for word in chance.sample(words, chance.randrange(4, 20))]
        self.options += [f"-{letter}" for letter in chance.sample("abcdefghklmnpqrstvwx", 4)]


class _Project:
    """Its files, the programs that its sessions use, and the mistakes that agents repeat in it."""

    def __init__(self, chance: random.Random, folder: str, words: Sequence[str], programs: Sequence[_Program]) -> None:
        self.chance, self.folder, self.words = chance, folder, words
        own = chance.sample(programs[_PROGRAMS_OF_ALL:], _PROGRAMS_OF_A_PROJECT - _PROGRAMS_OF_ALL)
        self.programs = [*programs[:_PROGRAMS_OF_ALL], *own]
        self.folders = ["/".join(chance.sample(words, chance.randrange(1, 4))) for _ in range(60)]
        self.mistakes = [self._new_mistake() for _ in range(_MISTAKES_OF_A_PROJECT)]

    def session(self, name: str, day: float) -> Iterator[Past]:
        found: list[Past] = []
        while len(found) < _CALLS_OF_A_SESSION:
            if self.chance.random() >= _FAILED_SHARE:
                found.append(self._good_call())
            else:
                found += self._mistake() if self.chance.random() < _MISTAKEN_SHARE else self._check()
        for number, past in enumerate(found[:_CALLS_OF_A_SESSION]):
            moment = START + timedelta(days=day, seconds=20 * number)
            time = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            yield replace(past, session=name, time=time, project=self.folder, cwd=self.folder)

    def _good_call(self) -> Past:
        if self.chance.random() < _SHELL_SHARE:
            return _shell(self._around(self._command(self._program())))
        path, word = f"{self.folder}/{self._path()}", self.chance.choice(self.words)
        given: dict[str, object] = {"file_path": path}
        tool = self.chance.choice(("Read", "Edit", "Write", "Grep"))
        if tool == "Edit":
            given |= {"old_string": f"{word} = 1\n" * 5, "new_string": f"{word} = 2\n" * 5}
        elif tool == "Write":
            given["content"] = f"{word} = 1\n" * 20
        elif tool == "Grep":
            given = {"pattern": word, "path": path, "output_mode": "content"}
        return Past(tool=tool, arguments=given)

    def _mistake(self) -> list[Past]:
        """A call that fails, and most times the same without what is wrong, which works."""
        chance, path = self.chance, self._path()
        repeated = chance.random() < _REPEATED_SHARE
        program, verb, option, complaint, (word, second, third) = (
            chance.choice(self.mistakes) if repeated else self._new_mistake()
        )
        said = complaint.format(
            program=program.name, verb=verb, option=option, path=path, word=word, second=second, third=third
        )
        output = "\n".join(" ".join(chance.choices(self.words, k=6)) for _ in range(int(chance.expovariate(0.5))))
        line = self._around(f"{program.name} {verb} {option} {path}")
        found = [_shell(line, f"Exit code {chance.choice((1, 1, 1, 2, 127, 128))}\n{said}\n{output}".rstrip())]
        return [*found, _shell(self._command(program, verb))] if chance.random() < _MENDED_SHARE else found

    def _new_mistake(self) -> "tuple[_Program, str, str, str, list[str]]":
        program, named = self._program(), self.chance.sample(self.words, 3)
        wrong = f"--{self.chance.choice(self.words)}" if self.chance.random() < 0.7 else program.options[-1]
        return program, self.chance.choice(program.verbs), wrong, self.chance.choice(_COMPLAINTS), named

    def _check(self) -> list[Past]:
        """A check that finds something in a file, which is then edited."""
        program, path = self._program(), self._path()
        word, second, third = self.chance.sample(self.words, 3)
        said = self.chance.choice(_FOUND).format(path=path, word=word, second=second, third=third)
        edit: dict[str, object] = {
            "file_path": f"{self.folder}/{path}",
            "old_string": f"{word} = 1",
            "new_string": f"{second} = 1",
        }
        found = _shell(f"{program.name} {program.verbs[0]}", f"Exit code 1\n{said}")
        return [found, Past(tool="Edit", arguments=edit)]

    def _command(self, program: _Program, verb: str = "") -> str:
        chance = self.chance
        options = chance.sample(program.options, chance.randrange(4))
        files = [self._path() for _ in range(chance.randrange(3))]
        return " ".join([program.name, verb or chance.choice(program.verbs), *options, *files])

    def _around(self, line: str) -> str:
        """The line as agents write it: in a folder, with other commands before and behind it."""
        chance = self.chance
        if chance.random() < 0.3:
            line = f"cd {self.folder if chance.random() < 0.5 else chance.choice(self.folders)} && {line}"
        if chance.random() < 0.2:
            line += f' && echo "{" ".join(chance.choices(self.words, k=4))}"'
        return f"{line} 2>&1 | tail -{chance.randrange(5, 60)}" if chance.random() < 0.4 else line

    def _program(self) -> _Program:
        return self.programs[min(int(self.chance.expovariate(0.08)), len(self.programs) - 1)]

    def _path(self) -> str:
        return f"{self.chance.choice(self.folders)}/{self.chance.choice(self.words)}{self.chance.choice(_ENDINGS)}"


def _shell(line: str, error: str = "") -> Past:
    return Past(command=line, outcome="failed" if error else "ok", error=error, program=program_of(line)[0])
