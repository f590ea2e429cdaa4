"""Every text of a lesson's manifest entry that the hook could show to an agent."""

from lessons.inject import words
from lessons.match.call import ToolCall
from lessons.store.published import PublishedLesson, compile_source

_ANY_CALL = ToolCall("Bash", {"command": "{command}"})


def agent_reads(entry: dict[str, object]) -> list[str]:
    """Returns the texts as the hook words them.

    These are the full text, the reason for a deny, and the short line for when there is no room for more.
    """
    lesson = PublishedLesson("", entry, compile_source)
    found = [words.full_text(lesson)]
    if lesson.kind == "block":
        found.append(words.block_reason(lesson, _ANY_CALL))
    if words.clean(lesson.summary) not in found[0]:
        found.append(words.summary_line(lesson))
    return found
