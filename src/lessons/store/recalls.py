"""Decides which call may show something unasked: once for each thing in a context, a few times in a session.

What memory spoke about is silent for the rest of a session in which a call with the same suspects has worked.
"""

from lessons.store.claims import (
    claim,
    context_folder,
    exists,
    folder_of,
    own_folder,
    read,
    safe_name,
    write,
)
from lessons.system import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


RECALL, QUESTION = "recall", "question"
MOST = {RECALL: 5, QUESTION: 3}
_TRIED = "tried"  # a file of the session, beside the folders of its contexts
_MOST_BYTES = 64 * 1024
_MOST_TRIES = 40  # in a session: looking at their ends takes time
_KNOWN = "*"  # stands for calls that were known to have worked when they were noted


def claim_recall(home: str, session: str, agent_id: str, key: str, what: str = RECALL) -> bool:
    """Returns True for exactly one of all callers with this key in this context, and a few times in a session.

    Returns False if it cannot be remembered: rather nothing than the same text at each call.
    """
    # A session that has had all of them creates no further claims.
    if not key or has_had_all(home, session, what):
        return False
    context, counted = (folder_of(home, session, part) for part in (context_folder(agent_id), f"{what}s"))
    if claim(context, safe_name(f"{what}:{key}")) is not True:
        return False
    return any(claim(counted, str(number)) is True for number in range(1, MOST[what] + 1))


def has_had_all(home: str, session: str, what: str) -> bool:
    counted = folder_of(home, session, f"{what}s")
    return counted != "" and exists(f"{counted}/{MOST[what]}")


class Tries:
    """Which calls of a session tried what a recall spoke about: what a call had that worked is silent from then on.

    A line of the file is a try: the call, digests of its suspects, and a note by which its end is found; or a call that
    worked. What cannot be read or written leaves memory as talkative as without it.
    """

    def __init__(
        self,
        home: str,
        session: str,
        tool_use_id: str,
        note: "Callable[[], str]" = str,
        worked: "Callable[[str], bool | None] | None" = None,
    ) -> None:
        """`note` is of this call; `worked` tells by its note whether an earlier call is known to have worked."""
        self._folder, self._call = folder_of(home, session), safe_name(tool_use_id) if tool_use_id else ""
        self._note, self._has_worked = note, worked
        self._tries: dict[str, tuple[set[str], str]] = {}
        self._worked = {_KNOWN}
        data = (read(f"{self._folder}/{_TRIED}", _MOST_BYTES) if self._folder else None) or b""
        self._size = len(data)
        for line in data.decode("utf-8", "replace").split("\n"):
            self._take(line)

    def silent(self, suspects: "Iterable[str]") -> set[str]:
        """Returns those that a call of this session had which worked; this call is a further try of the others."""
        names = {_digest(each): each for each in suspects} if self._tries else {}
        known: set[str] = set()
        for call, (digests, note) in list(self._tries.items()):
            if call != self._call and not digests.isdisjoint(names):
                known |= digests
                if call not in self._worked and note and self._has_worked and self._has_worked(note):
                    self._add(f"worked {call}")
        silent = {digest for call, (digests, _) in self._tries.items() if call in self._worked for digest in digests}
        if not known.intersection(names) <= silent:
            self.spoken(names.values())
        return {each for digest, each in names.items() if digest in silent}

    def spoken(self, suspects: "Iterable[str]") -> None:
        """Memory has spoken about this call: whether it works decides about its suspects."""
        if self._call and self._call not in self._tries and len(self._tries) < _MOST_TRIES:
            self._add(f"tried {self._call} {_joined(suspects)} {self._note()}")

    def worked(self, suspects: "Iterable[str]") -> None:
        """This call had them and has worked."""
        self._add(f"tried {_KNOWN} {_joined(suspects)} ")

    def call_worked(self) -> None:
        """This call has worked; noted only if it is one of the tries."""
        if self._call in self._tries:
            self._add(f"worked {self._call}")

    def _take(self, line: str) -> None:
        word, *fields = line.split(" ", 3)
        if word == "worked" and len(fields) == 1:
            self._worked.add(fields[0])
        elif word == "tried" and len(fields) == 3:
            before, _ = self._tries.get(fields[0], (set(), ""))
            self._tries[fields[0]] = before.union(fields[1].split(",")), fields[2]

    def _add(self, line: str) -> None:
        data = f"{line}\n".encode("utf-8", "replace")
        if not self._folder or "\n" in line or self._size + len(data) > _MOST_BYTES:
            return
        self._take(line)
        if own_folder(self._folder):
            write(f"{self._folder}/{_TRIED}", data, system.O_APPEND)


def _joined(suspects: "Iterable[str]") -> str:
    return ",".join(map(_digest, suspects))


def _digest(name: str) -> str:
    data = name.encode("utf-8", "surrogatepass") + b"\1"
    return f"{int.from_bytes(data, 'little') % (2**61 - 1):x}"
