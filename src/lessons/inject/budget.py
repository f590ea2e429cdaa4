"""The text of as many lessons as fit into a number of bytes; what does not fit stays unclaimed."""

from lessons.inject.words import full_text, summary_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.store.published import PublishedLesson

    Match = tuple[PublishedLesson, str]

_SEPARATOR = "\n\n"


def fill(
    heading: str,
    matches: "list[Match]",
    budget: int,
    most: int,
    claim: "Callable[[PublishedLesson], bool]",
) -> "tuple[str, list[Match], list[Match]]":
    """The whole text, the lessons in it, and those that did not fit.

    In order of priority each lesson comes in full, else as its summary line, else not at all; the first always
    comes in full, or a long lesson would never be read. A lesson is claimed only once its place is certain.
    """
    text = heading
    shown: list[Match] = []
    dropped: list[Match] = []
    for match in matches:
        if len(shown) >= most:
            dropped.append(match)
            continue
        lesson = match[0]
        for piece in (full_text(lesson), summary_line(lesson)):
            longer = text + _SEPARATOR + piece if text else piece
            if not shown or len(longer.encode()) <= budget:
                if claim(lesson):
                    text = longer
                    shown.append(match)
                break
        else:
            dropped.append(match)
    return (text if shown else ""), shown, dropped
