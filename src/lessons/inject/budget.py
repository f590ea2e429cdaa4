"""Builds the text of as many lessons as fit into a byte budget; the others stay unclaimed."""

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
    """Returns the whole text, the lessons in it, and those that did not fit.

    By priority, each lesson is added in full, else as its summary line, else not at all. The first is always added in
    full, otherwise a long lesson would never be read. A lesson is claimed only once its place is certain.
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
