"""The line about a session for the next one in the same project, built from its handoff."""

from lessons.plain import neutral, quoted

_LONGEST_REQUEST = 100
_LONGEST_BRANCH = 60
_SHOWN = "`lessons handoff show` shows what it was doing."


def offer_line(handoff: dict[str, object]) -> str:
    """Returns at most one line; each field may contain anything, because others can write the file.

    Rebuilt when it is shown: a sentence stored in the file is not trusted.
    """
    found = handoff.get("git")
    git: dict[str, object] = found if isinstance(found, dict) else {}
    about = [f"branch `{_name(branch)}`"] if (branch := _text(git, "branch")) else []
    about += [f"{count} open tasks"] if (count := _length(handoff, "tasks")) else []
    about += [f"{count} uncommitted files"] if (count := _number(git, "uncommittedCount")) else []
    details = f" ({', '.join(about)})" if about else ""
    asked = _text(handoff, "earlierRequest") or _text(handoff, "lastRequest")
    request = f", last asked: {quoted(asked, _LONGEST_REQUEST)}" if asked.strip() else ""
    ended = _name(_text(handoff, "timestamp")[:16])
    return f"The session before this one in this project ended {ended}{details}{request}. {_SHOWN}"


def _text(fields: dict[str, object], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _number(fields: dict[str, object], name: str) -> int:
    value = fields.get(name)
    return value if isinstance(value, int) and 0 < value < 10**9 else 0


def _length(fields: dict[str, object], name: str) -> int:
    value = fields.get(name)
    return len(value) if isinstance(value, list) else 0


def _name(text: str) -> str:
    """Returns a name on one line that cannot close the backticks around it."""
    return " ".join(neutral(text[:_LONGEST_BRANCH]).replace("`", "'").split())
