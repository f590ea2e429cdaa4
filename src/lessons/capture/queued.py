"""Prompts that a person queues while the agent works: each is stored at once, and only once.

Some clients write a queued prompt again when the agent gets it: as an ordinary prompt with its own id, or several of
them as one. Then that one counts, and the first is withdrawn. Other clients never do.
"""

from hashlib import blake2b

from lessons.capture.memory import Memory, QueuedPrompt
from lessons.store.history.rows import Batch, Prompt

_MOST_WAITING = 50


def key_of(time: str, text: str) -> int:
    """Returns a key that is equal in copies of the record, which has no id."""
    return int.from_bytes(blake2b(f"queued {time} {text}".encode(), digest_size=8).digest(), "big", signed=True)


def queue(memory: Memory, batch: Batch, prompt: Prompt, text: str) -> None:
    """`text` is the whole text; the prompt has the part that is stored."""
    lines = _lines(text)
    batch.prompts.append(prompt)
    if all(each.key != prompt.key for each in memory.queued):  # an unfinished line is read twice
        memory.queued.append(QueuedPrompt(prompt.key, _digest(lines), len(lines)))
        del memory.queued[:-_MOST_WAITING]


def arrived(memory: Memory, batch: Batch, text: str) -> None:
    """Withdraws queued prompts with this text, or with some whole lines of it."""
    if memory.queued:
        lines = _lines(text)
        _withdraw(memory, batch, [each for each in memory.queued if _is_in(each, lines)])


def taken_back(memory: Memory, batch: Batch) -> None:
    """Withdraws all queued prompts that have not arrived."""
    _withdraw(memory, batch, list(memory.queued))


def _withdraw(memory: Memory, batch: Batch, prompts: list[QueuedPrompt]) -> None:
    keys = {each.key for each in prompts}
    if keys:
        memory.queued = [each for each in memory.queued if each.key not in keys]
        batch.prompts = [prompt for prompt in batch.prompts if prompt.key not in keys]
        batch.withdrawn += sorted(keys)


def _is_in(queued: QueuedPrompt, lines: list[str]) -> bool:
    places = range(len(lines) - queued.lines + 1)
    return any(_digest(lines[place : place + queued.lines]) == queued.digest for place in places)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


def _digest(lines: list[str]) -> str:
    return blake2b("\n".join(lines).encode("utf-8", "replace"), digest_size=8).hexdigest()
