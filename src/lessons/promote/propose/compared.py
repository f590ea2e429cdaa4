"""The good calls that a mistake is compared with; mistakes of the same programs share them."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from lessons.match.call import ToolCall
from lessons.promote.propose.families import ANY, Family, families_of
from lessons.promote.propose.good_calls import GoodCalls
from lessons.promote.propose.heads import beginnings
from lessons.store.history.past_calls import StoredCall

_SHELL = "Bash"
_MOST_REMEMBERED = 2
_MOST_REMEMBERED_BYTES = 70_000_000  # beyond that only the last one
_MOST_DIVIDED = 4

Divided = tuple[GoodCalls, GoodCalls]


class Compared:
    """Finds them for one mistake after the other; `successes` gives the good calls of a family, the newest first."""

    def __init__(self, successes: Callable[[Family], GoodCalls]) -> None:
        self._successes_of = successes
        self._known: list[_Together] = []  # what was asked for last at the end

    def __call__(self, rows: Iterable[StoredCall], failed: Sequence[ToolCall]) -> Divided:
        """The good calls of the family, and those of the programs to blame whatever they did.

        A line is stored under the first program that does its work: lines that run the blamed command behind another
        one, or a blamed command that is not the first, belong to the family too.
        """
        begins = beginnings(failed)
        own = [self._successes_of(family) for family in families_of(rows)]
        programs = dict.fromkeys(begin[0] for begin in begins)
        others = [self._successes_of(Family(_SHELL, program, ANY)) for program in programs]
        phrases = {" ".join(begin) for begin in begins if len(begin) > 1}
        return self._together(own, others).divided(phrases)

    def _together(self, own: list[GoodCalls], others: list[GoodCalls]) -> "_Together":
        found = next((each for each in self._known if each.is_of(own, others)), None) or _Together(own, others)
        known = [each for each in self._known if each is not found][1 - _MOST_REMEMBERED :]
        self._known = (
            [found] if found.size + sum(each.size for each in known) > _MOST_REMEMBERED_BYTES else [*known, found]
        )
        return found


class _Together:
    """The calls of some families, and of some programs those that are not among them."""

    def __init__(self, own: list[GoodCalls], others: list[GoodCalls]) -> None:
        self._own, self._others = own, others
        self._family = own[0] if len(own) == 1 else GoodCalls(chain.from_iterable(own))
        known = {call.tool_use_id for call in self._family}
        apart = {call.tool_use_id: call for call in chain.from_iterable(others) if call.tool_use_id not in known}
        self._apart = GoodCalls(apart.values())
        self._divided: dict[frozenset[str], Divided] = {}

    @property
    def size(self) -> int:
        """About how many bytes its calls take."""
        return self._family.size + self._apart.size

    def is_of(self, own: list[GoodCalls], others: list[GoodCalls]) -> bool:
        """Whether it was made of these very ones."""
        return list(map(id, own)) == list(map(id, self._own)) and list(map(id, others)) == list(map(id, self._others))

    def divided(self, phrases: Iterable[str]) -> Divided:
        """The family with the lines that have one of these phrases, and the others."""
        lines = {phrase: [call for call in self._apart.holding((phrase,)) if call.is_line] for phrase in phrases}
        telling = frozenset(phrase for phrase, found in lines.items() if found)
        if telling not in self._divided:
            if len(self._divided) == _MOST_DIVIDED:
                del self._divided[next(iter(self._divided))]
            names = {call.tool_use_id for found in lines.values() for call in found}
            family = [call for call in self._apart if call.tool_use_id in names]
            others = [call for call in self._apart if call.tool_use_id not in names]
            self._divided[telling] = (
                (GoodCalls([*self._family, *family]), GoodCalls(others)) if names else (self._family, self._apart)
            )
        return self._divided[telling]
