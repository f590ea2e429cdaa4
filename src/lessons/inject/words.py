"""The texts of a lesson for the agent and the user."""

from lessons.plain import framed, neutral

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall
    from lessons.store.published import PublishedLesson

COMMAND_LENGTH = 120
_SUBJECT_LENGTH = 80
_NAME_LENGTH = 60
_VALUE_LENGTH = 300
_STOPPED = "(Stopped once by the user's lesson `"
_OF_PROJECT = "From the lessons of the project `"
_ORIGINS = {"transcripts": "transcripts of earlier sessions", "reviews": "code reviews"}
# The client moves longer texts to a file, which the model would have to read.
LONGEST_TEXT = 9000


def clean(text: str) -> str:
    """Returns the neutral text, with bounded length."""
    return _bounded(neutral(text[: 4 * LONGEST_TEXT]))


def heading(call: "ToolCall") -> str:
    """Names the call that the notes are about: several calls may run at once, and the client names none."""
    subject = " ".join(clean(call.subject()[: 4 * _SUBJECT_LENGTH]).replace("`", "'").split())
    if len(subject) > _SUBJECT_LENGTH:
        subject = subject[:_SUBJECT_LENGTH] + "…"
    return f"Notes that the user keeps in `lessons` about `{subject}`:"


def provenance(lesson: "PublishedLesson") -> str:
    """Returns where the text of a lesson is from, if the user did not write it."""
    if lesson.project:
        return f"{_OF_PROJECT}{_name(lesson.project)}`, which the user trusts"
    return f"Found in {_ORIGINS[lesson.mined]}, and accepted by the user" if lesson.mined else ""


def full_text(lesson: "PublishedLesson") -> str:
    return _with_provenance(lesson, _filled(lesson, lesson.injection))


def summary_line(lesson: "PublishedLesson") -> str:
    """Returns a short form for when the full text does not fit."""
    origin = f" (from {lesson.mined})" if lesson.mined else ""
    if lesson.project:
        origin = f" (project `{_name(lesson.project)}`)"
    return f"**Lesson**{origin}: {_summary(lesson)}"


def _summary(lesson: "PublishedLesson") -> str:
    return _one_line(_filled(lesson, lesson.summary))


def _filled(lesson: "PublishedLesson", text: str, command: str | None = None) -> str:
    """Fills in the values of this call for the names in the text: one line each, bounded length, no backticks."""
    if not lesson.values:
        return text if command is None else text.replace("{command}", command)
    from lessons.match.state import filled  # few lessons have names in their texts

    values = {name: " ".join(clean(value).replace("`", "'").split()) for name, value in lesson.values.items()}
    cut = {
        name: value if len(value) <= _VALUE_LENGTH else value[:_VALUE_LENGTH] + "…" for name, value in values.items()
    }
    return filled(text, cut if command is None else {**cut, "command": command})


def block_reason(lesson: "PublishedLesson", call: "ToolCall") -> str:
    """Returns the lesson's own reason with the command inserted literally."""
    reason = lesson.block_reason or lesson.injection
    return _with_provenance(lesson, _filled(lesson, reason, call.subject()[:COMMAND_LENGTH]))


def stop_reason(lesson: "PublishedLesson") -> str:
    return (
        f"{full_text(lesson)}\n\n"
        f"{_STOPPED}{lesson.slug}` so that this is read before the call runs. "
        "A changed call, or this one if it is right as it stands, runs when issued again.)"
    )


def is_own_denial(reason: str) -> bool:
    """Whether the text shows that a lesson denied the call; the reason of most blocks is the user's own text."""
    found_in = tuple(f"Found in {origin}, and accepted by the user:" for origin in _ORIGINS.values())
    return _STOPPED in reason or reason.startswith((_OF_PROJECT, *found_in))


def block_message(lesson: "PublishedLesson") -> str:
    """For the user only: an agent that knew this could unblock itself."""
    return f"lessons: blocked by `{lesson.slug}` ({_summary(lesson)}). To let it pass once: lessons allow {lesson.slug}"


def stop_message(lesson: "PublishedLesson") -> str:
    return f"lessons: stopped once by `{lesson.slug}` ({_summary(lesson)})."


def _with_provenance(lesson: "PublishedLesson", text: str) -> str:
    origin = provenance(lesson)
    return _bounded(framed(origin, text[: 4 * LONGEST_TEXT])) if origin else clean(text)


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + " [cut]"


def _name(path: str) -> str:
    """Returns the last part of the project's path, safe inside backticks."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2] or path
    return _one_line(name[:_NAME_LENGTH]).replace("`", "'")


def _one_line(text: str) -> str:
    return " ".join(clean(text).split())
