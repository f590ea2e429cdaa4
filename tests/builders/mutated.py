"""A random source in, sessions out with ordinary mistakes in randomly rearranged form."""

from pathlib import Path
from random import Random

from tests.builders.mistakes import MISTAKES, Mistake
from tests.builders.transcript import Session

ORDINARY = (
    *MISTAKES,
    Mistake("pytest -q", "Exit code 127\n/bin/bash: line 1: pytest: command not found", "python -m pytest -q"),
    Mistake("tsc --noEmit", "Exit code 127\nzsh: command not found: tsc", "npx tsc --noEmit"),
    Mistake("cd shop && ls src", "Exit code 1\n(eval):cd:1: no such file or directory: shop", "ls src"),
    Mistake("ls *.toml", "Exit code 1\n(eval):1: no matches found: *.toml", "ls '*.toml'"),
    Mistake("psql -c 'select nme from till'", 'Exit code 1\nERROR:  column "nme" does not exist', "psql -c 'select 1'"),
    Mistake("python3 -c 'import shop'", "Exit code 1\nModuleNotFoundError: No module named 'shop'", "pip install shop"),
    Mistake(
        "git push && git log | head -3", "Exit code 128\nfatal: The current branch has no upstream branch.", "git push"
    ),
    Mistake("jq .a <<EOF\n{}\nEOF", "Exit code 2\njq: error: syntax error, unexpected $end", "jq . <<EOF\n{}\nEOF"),
)
ODD = (
    *("", " ", "\n", "\\", "'", '"', "`", "$(", ")", "|", "||", "&&", ";", "&", ">", "2>&1", "<<EOF", "EOF", "#"),
    *("--", "-", "-x", "--stat", "=", "a=b", "!", "*", "[", "]", "{}", "{", "^", "$", "(?", "\0", "\x1b[31m", "‮"),
    *("cd", "sudo", "env", "npx", "xargs", "ssh host", "bash -c", "not found:", "command not found"),
    *("é", "日本", "x" * 300),
    *("Exit code 1", "usage: x", "error:", "fatal:", "Traceback (most recent call last):", "‹", "›", "%s", "\udcff"),
)  # fmt: skip


def mutated(random: Random, mistake: Mistake) -> Mistake:
    """One to three changes anywhere in the failed call, its error and its fix."""
    texts = [mistake.failed, mistake.error, mistake.worked]
    for _ in range(random.randint(1, 3)):
        place = random.randrange(3)
        texts[place] = _changed(random, texts[place])
    return Mistake(texts[0], texts[1], texts[2], random.randint(0, 2))


def _changed(random: Random, text: str) -> str:
    words = text.split(" ")
    place = random.randrange(len(words))
    kind = random.randrange(6)
    if kind == 0:
        del words[place]
    elif kind == 1:
        words[place] = random.choice(ODD)
    elif kind == 2:
        words.insert(place, random.choice(ODD))
    elif kind == 3:
        random.shuffle(words)
    elif kind == 4:
        return text[: random.randrange(len(text) + 1)]
    else:
        words[place] += random.choice(ODD)
    return " ".join(words)


def write_mutated(folder: Path, random: Random, sessions: int, mistakes_each: int) -> int:
    """Returns how many failed calls were written; each mistake comes back in other sessions, changed or not."""
    known: list[Mistake] = []
    for number in range(sessions):
        session = Session(f"mutated {number}", cwd=f"/home/somebody/shop-{number % 3}")
        session.prompt("look at the change")
        for place in range(mistakes_each):
            if not known or random.random() < 0.7:
                known.append(mutated(random, random.choice(ORDINARY)))
            _make(session, random, random.choice(known[-50:]), place)
        session.write(folder)
    return sessions * mistakes_each


def _make(session: Session, random: Random, mistake: Mistake, number: int) -> None:
    def written(text: str) -> str:
        return text.replace("{}", str(number)).encode("utf-8", "replace").decode()

    failed = session.call("Bash", {"command": written(mistake.failed)})
    session.result(failed, written(mistake.error), error=True)
    for look in range(mistake.between):
        session.result(session.call("Bash", {"command": f"ls shop-{look}"}), "shop")
    if random.random() < 0.9:
        session.result(session.call("Bash", {"command": written(mistake.worked)}), "done")
