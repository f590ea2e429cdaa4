"""Chooses the hints to withhold, to compare sessions with and without them; loaded only if a rate is set."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.store.published import PublishedLesson

_BITS = 64
_ALL = (1 << _BITS) - 1


def is_held_out(session: str, lesson: "PublishedLesson", rate: float) -> bool:
    """Returns the same answer for a whole session. Never withholds a stop, a block or a session-start lesson."""
    if lesson.kind != "hint" or lesson.rule.session_start or not session:
        return False
    return draw(session, lesson.identifier) < rate


def draw(session: str, lesson: str) -> float:
    """Returns a pseudo-random number from 0 to 1, fixed for the same names (FNV-1a, then mixed as in MurmurHash3).

    Without imports; `hash` differs in every process.
    """
    value = 0xCBF29CE484222325
    for byte in f"{session}\0{lesson}".encode("utf-8", "surrogatepass"):
        value = (value ^ byte) * 0x100000001B3 & _ALL
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        value = (value ^ value >> 33) * factor & _ALL
    return (value ^ value >> 33) / (1 << _BITS)
