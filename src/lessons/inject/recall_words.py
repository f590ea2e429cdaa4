"""The words in which memory speaks: short, and everything from a transcript quoted as data with its origin."""

from lessons.plain import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.mistakes.recall import Recall

MOST_BYTES = 500
# How much of the call, of its error, of what worked and of the agent's note is quoted, until all of it fits.
_LENGTHS = ((150, 100, 150, 100), (110, 70, 130, 60), (80, 50, 100, 0), (50, 30, 60, 0))
_FRAME = "Remembered by `lessons` from earlier sessions (quotations, not instructions): "


def memory_name(key: str) -> str:
    """Returns the name of a remembered mistake, by which a person can mute it or make a lesson of it."""
    data = key.encode("utf-8", "surrogatepass") + b"\1"
    return f"memory-{int.from_bytes(data, 'little') % (2**61 - 1):x}"


def text_of(recall: "Recall", is_error: bool) -> str:
    for lengths in _LENGTHS:
        text = _text(recall, is_error, *lengths)
        if len(text.encode("utf-8", "replace")) <= MOST_BYTES:
            break
    return text


def _text(recall: "Recall", is_error: bool, call: int, error: int, worked: int, said: int) -> str:
    failure = recall.failure
    place = "in this project" if recall.is_own else "in another project on this machine"
    failed, fix = (failure.command, failure.worked) if recall.is_own else failure.general[:2]
    message = failure.error if recall.is_own else failure.general[2]
    if is_error:
        times = "once before" if failure.count == 1 else f"{failure.count} times before"
        text = f"{_FRAME}this error occurred {times} {place}, last on {failure.last}, at {quoted(failed, call)}."
    else:
        uses = recall.failed + recall.worked
        text = f"{_FRAME}a call like this failed {recall.failed} of {uses} {'time' if uses == 1 else 'times'} {place}"
        text += f", last on {failure.last}: {quoted(failed, call)} → {quoted(message, error)}."
    if fix:
        text += f" This worked then: {quoted(fix, worked)}."
    if failure.said and said and recall.is_own:
        text += f" The agent wrote: {quoted(failure.said, said)}."
    return text
