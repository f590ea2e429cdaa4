"""What the agent is told unasked: what memory recalls, the question after a recovery, and that an error repeats.

Short, and everything from a transcript or a session is quoted as data. Every failure asks whether it
repeats: what quotes is loaded only when something is said.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.mistakes.recall import Recall
    from lessons.store.session_failures import RecentFailures


MOST_BYTES = 500
# How much of the call, its error and what worked is quoted, and whether the agent's note is, until all of it fits.
_LENGTHS = ((150, 100, 150, 1), (110, 70, 130, 1), (80, 50, 100, 1), (80, 50, 100, 0), (50, 30, 60, 0), (25, 12, 30, 0))
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


def _text(recall: "Recall", is_error: bool, call: int, error: int, worked: int, notes: int) -> str:
    from lessons.plain import quoted

    failure = recall.failure
    place = "in this project" if recall.is_own else "in another project on this machine"
    failed, fix = (failure.command, failure.worked) if recall.is_own else failure.general[:2]
    message = failure.error if recall.is_own else failure.general[2]
    last = f", last on {failure.last}" if failure.last else ""
    if is_error:
        times = "once before" if failure.count == 1 else f"{failure.count} times before"
        text = f"{_FRAME}this error occurred {times} {place}{last}, at {quoted(failed, call)}."
    else:
        failures = min(recall.failed, failure.count)  # of this mistake: others say nothing about it
        uses = failures + recall.worked
        text = f"{_FRAME}a call like this failed {failures} of {uses} {'time' if uses == 1 else 'times'} {place}"
        text += f"{last}: {quoted(failed, call)}{f' → {quoted(message, error)}' if message else ''}."
    if fix and fix != failed:
        text += f" This worked then: {quoted(fix, worked)}."
    elif not failure.fix and not failure.said and recall.is_own:
        text += " No retry that worked is recorded."
    if failure.said and notes and recall.is_own:
        words = quoted(failure.said, len(failure.said))
        text += f" The agent wrote: {words}{'' if words[-2] in '.!?…' else '.'}"
    return text


MOST_BYTES_OF_QUESTION = 400
# How much of the failed call, of its error and of what worked is quoted, until all of it fits.
_LENGTHS_OF_QUESTION = ((60, 50, 60), (45, 40, 45), (35, 30, 35), (25, 20, 25), (12, 8, 12))
_FORM = """\
#lesson
tool: {tool}
trigger: <how the call begins>
error: <words of the error>
problem: <what went wrong, why>
solution: <what works instead>
#/lesson"""
_LONGEST_TOOL = 40


def question(tool: str, failed: str, error: str, worked: str) -> str:
    """Returns at most 400 bytes; everything from the session is quoted."""
    name = "".join(sign for sign in tool if sign.isalnum() or sign in "_-")[:_LONGEST_TOOL] or "Bash"
    for lengths in _LENGTHS_OF_QUESTION:
        text = _question(name, failed, error, worked, lengths)
        if len(text.encode("utf-8", "replace")) <= MOST_BYTES_OF_QUESTION:
            break
    return text


def _question(tool: str, failed: str, error: str, worked: str, lengths: "tuple[int, int, int]") -> str:
    from lessons.plain import quoted

    call, message, fix = quoted(failed, lengths[0]), quoted(error, lengths[1]), quoted(worked, lengths[2])
    return (
        f"`lessons`: {call} failed: {message}, then {fix} worked. If a note would have prevented this, write one "
        f"`#lesson` block, otherwise ignore this:\n{_FORM.format(tool=tool)}"
    )


_TIMES_BEFORE_NOTE = 3
_LONGEST_QUOTE = 200
_NUMBERS = ("", "once", "twice", "three times", "four times", "five times")


def loop_note(error: str, failures: "RecentFailures") -> str:
    """Returns the note for the agent after this failure: usually empty, and once for each error that repeats.

    Each context counts separately: a subagent's errors count neither for its session nor for another subagent.
    """
    from lessons.failure.repeated import repeated_form  # memory and the question do without

    error_shape = repeated_form(error)
    if not error_shape:
        return ""
    count = failures.add(error_shape)
    if count < _TIMES_BEFORE_NOTE or not failures.claim(error_shape):
        return ""
    return loop_words(error, count, max(1, round((failures.now - failures.first(error_shape)) / 60)))


def loop_words(error: str, count: int, minutes: int) -> str:
    """Returns the note itself; what was done in between is unknown here."""
    from lessons.failure.repeated import telling_lines
    from lessons.plain import quoted

    often = _NUMBERS[count] if count < len(_NUMBERS) else f"{count} times"
    line = quoted((telling_lines(error) or [""])[0], _LONGEST_QUOTE)
    text = f"The same error occurred {often} in {minutes} minute{'' if minutes == 1 else 's'}. The tool printed {line}."
    return text + "\nA different cause or approach is more likely to help than another try."
