"""Commands in, a real git repository out, independent of the settings of whoever runs the tests."""

import os
import subprocess
from pathlib import Path

PERSON = "Ada"


def environment(**variables: str) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    identity = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in _PERSON.items()}
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_EDITOR": "true", "LC_ALL": "C"}
    return {**inherited, **identity, **quiet, **variables}


_PERSON = {"NAME": PERSON, "EMAIL": "ada@example.org"}


class Repository:
    """A repository in a folder; `git` runs there, `commit` writes a file and commits it."""

    def __init__(self, folder: Path, *arguments: str, init: bool = True) -> None:
        self.folder = folder
        self.root = str(folder)
        folder.mkdir(parents=True, exist_ok=True)
        if init:
            self.git("init", "-q", "-b", "main", *arguments)

    def git(self, *arguments: str, **variables: str) -> str:
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.folder,
            env=environment(**variables),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
        )
        assert done.returncode == 0, (arguments, done.stderr.decode("utf-8", "replace"))
        return done.stdout.decode("utf-8", "replace").strip()

    def commit(self, message: str, file: str = "", text: str | None = None, **variables: str) -> str:
        """The hash of a commit of one file, called as the message is where no name is given."""
        path = self.folder / (file or message)
        path.write_text(message if text is None else text, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "-q", "-m", message, **variables)
        return self.head()

    def head(self) -> str:
        return self.git("rev-parse", "HEAD")
