"""What repeated mistakes cost: the tokens, the money and the time of each failed call and of those until one worked.

A repeat is a failed call whose mistake another session made before, once a session, as in the report and in a replay.
It costs that call and the calls of the same thread up to the one that worked; without such a call only itself. A
message is shared by the calls that it made, and each call counts once: the parts of a sum can be listed.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cache

import msgspec

from lessons.candidate import FAILURE
from lessons.replay.replay import failures_of, repeats_in
from lessons.store.history.episodes import CallUsage
from lessons.store.history.history import History
from lessons.store.history.sessions import SessionSpan

PRICES_OF = "2026-10"
# US dollars for a million tokens in the maker's list: input, output, reading the cache. Writing it costs 1.25 times the
# input. The first row that matches wins; a model without a row has no price.
_PRICES = (
    (r"claude-(fable|mythos)-5-1", 10.0, 50.0, 0.25),
    (r"claude-(fable|mythos)-5", 10.0, 50.0, 1.0),
    (r"claude-opus-5-5", 4.0, 20.0, 0.2),
    (r"claude-opus-(5|4-[5-8])\b", 5.0, 25.0, 0.5),
    (r"claude-(opus-4|3-opus)", 15.0, 75.0, 1.5),
    (r"claude-sonnet-5-5", 2.0, 10.0, 0.1),
    (r"claude-sonnet-5", 2.0, 10.0, 0.2),
    (r"claude-(sonnet-4|3-[57]-sonnet)", 3.0, 15.0, 0.3),
    (r"claude-haiku-4", 1.0, 5.0, 0.1),
    (r"claude-3-5-haiku", 0.8, 4.0, 0.08),
)
_CACHE_WRITE = 1.25
_LONGEST_CALL, _LONGEST_PAUSE = 600.0, 60.0  # seconds; after a longer pause something else was done meanwhile


class CountedCall(msgspec.Struct, frozen=True, rename="camel"):
    """Its share of the message that made it; None: the agent does not record it, or the model has no price."""

    tool_use_id: str
    time: str
    model: str
    calls_of_message: int
    input_tokens: int | None
    output_tokens: int | None
    cache_read_tokens: int | None
    cache_write_tokens: int | None
    dollars: float | None
    seconds: float

    @property
    def tokens(self) -> int | None:
        parts = (self.input_tokens, self.output_tokens, self.cache_read_tokens, self.cache_write_tokens)
        return None if self.input_tokens is None else sum(part or 0 for part in parts)


class RepeatCost(msgspec.Struct, frozen=True, rename="camel"):
    fingerprint: str
    tool_use_id: str  # of the call that repeated the mistake
    session_id: str
    project: str
    agent: str
    time: str
    calls: list[CountedCall]


class Cost(msgspec.Struct, frozen=True, rename="camel"):
    """A sum; what is unknown of a call is not in it."""

    repeats: int = 0
    calls: int = 0
    tokens: int = 0
    cached_tokens: int = 0  # of these, read from the cache
    dollars: float = 0.0
    seconds: float = 0.0
    calls_without_tokens: int = 0
    calls_without_price: int = 0  # those without tokens too

    def share(self, part: int) -> "Cost":
        """Returns what so many repeats cost on average."""
        of = part / self.repeats if self.repeats else 0.0
        amounts = {"tokens": round(of * self.tokens), "dollars": of * self.dollars, "seconds": of * self.seconds}
        return msgspec.structs.replace(self, repeats=part, **amounts)


def costs_of_repeats(
    history: History, counts: Callable[[SessionSpan], bool] = lambda session: True, agents: Sequence[str] = ()
) -> list[RepeatCost]:
    """Returns the repeats of these sessions in order of time; they may repeat a mistake of any session."""
    spans = {each.session_id: each for each in history.sessions.spans()}
    failures = failures_of(history.candidates.of_tier(FAILURE))
    repeats = {
        each.tool_use_id: each.mistake
        for session, found in repeats_in(failures, spans).items()
        if counts(spans[session])
        for each in found
    }
    found: list[RepeatCost] = []
    counted: set[str] = set()
    for failed, worked, around in history.episodes.until_they_worked(repeats):
        place = {call.tool_use_id: number for number, call in enumerate(around)}
        if failed not in place:  # its time is no time
            continue
        first = around[place[failed]]
        if agents and first.agent not in agents:
            continue
        chosen = [call for call in _lost(around, place[failed], place.get(worked)) if call.tool_use_id not in counted]
        counted |= {call.tool_use_id for call in chosen}
        calls = [_counted(call, around) for call in chosen]
        found.append(
            RepeatCost(repeats[failed], failed, first.session_id, first.project, first.agent, first.time, calls)
        )
    return found


def together(repeats: Iterable[RepeatCost], since: str = "") -> Cost:
    found = [each for each in repeats if each.time >= since]
    calls = [call for each in found for call in each.calls]
    return Cost(
        repeats=len(found),
        calls=len(calls),
        tokens=sum(call.tokens or 0 for call in calls),
        cached_tokens=sum(call.cache_read_tokens or 0 for call in calls),
        dollars=round(sum(call.dollars or 0.0 for call in calls), 6),
        seconds=round(sum(call.seconds for call in calls), 1),
        calls_without_tokens=sum(call.tokens is None for call in calls),
        calls_without_price=sum(call.dollars is None for call in calls),
    )


def _lost(around: Sequence[CallUsage], failed: int, worked: int | None) -> list[CallUsage]:
    """Returns the failed call and those after it, up to the one that worked."""
    last = worked if worked is not None and worked > failed else failed + 1
    # What one message asks for at once, it asked for before anything had failed; or together with what worked.
    ends = {around[place].message_id for place in (failed, last) if place < len(around)}
    own = around[failed]
    return [call for call in around[failed:last] if call is own or not call.message_id or call.message_id not in ends]


def _counted(call: CallUsage, around: Sequence[CallUsage]) -> CountedCall:
    message = [each for each in around if each.message_id == call.message_id] if call.message_id else [call]
    tokens: Sequence[int] | None = call.tokens and [round(number / len(message)) for number in call.tokens]
    price, dollars = _price(call.model), None
    if tokens and price:
        factors = (*price, price[0] * _CACHE_WRITE)
        dollars = round(sum(factor * number for factor, number in zip(factors, tokens, strict=True)) / 1e6, 6)
    begins = next((each.time for each in around if each.time > message[-1].time), "")
    seconds = round(_seconds(message, begins) / len(message), 1)
    given, made, read, written = tokens or (None, None, None, None)
    return CountedCall(
        call.tool_use_id, call.time, call.model, len(message), given, made, read, written, dollars, seconds
    )


@cache
def _price(model: str) -> tuple[float, float, float] | None:
    return next((row[1:] for row in _PRICES if re.match(row[0], model)), None)


def _seconds(message: Sequence[CallUsage], next_begins: str) -> float:
    """Returns how long its calls ran, and the time until the next message; a pause is not counted."""
    try:
        begin = datetime.fromisoformat(message[0].time)
        end = max(datetime.fromisoformat(call.ended or call.time) for call in message)
        after = datetime.fromisoformat(next_begins) if next_begins else end
    except (ValueError, TypeError):  # a transcript may have any time
        return 0.0
    ran, thought = (min(end, max(after, begin)) - begin).total_seconds(), (after - end).total_seconds()
    return max(0.0, min(ran, _LONGEST_CALL)) + (thought if 0 < thought <= _LONGEST_PAUSE else 0.0)


def in_words(cost: Cost) -> tuple[str, str, str]:
    """Returns tokens, money and time; unknown where no call tells."""
    tokens = money = "unknown"
    if cost.calls_without_tokens < cost.calls or not cost.calls:
        unit, name = next(((unit, name) for unit, name in ((1e6, " M"), (1e3, " k")) if cost.tokens >= unit), (1, ""))
        tokens = f"{cost.tokens / unit:,.{1 if name else 0}f}{name}"
    if cost.calls_without_price < cost.calls or not cost.calls:
        money = "<$0.01" if 0 < cost.dollars < 0.01 else f"${cost.dollars:,.2f}"
    minutes = cost.seconds / 60
    time = f"{minutes:,.0f} min" if minutes < 600 else f"{minutes / 60:,.0f} h"
    return tokens, money, "<1 min" if 0 < minutes < 1 else time
