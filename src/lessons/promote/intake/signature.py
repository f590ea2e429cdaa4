"""The words of a text as a few bytes, which tell quickly that two texts cannot be alike."""

from zlib import crc32

from lessons.promote.intake.similarity import ALIKE, words_in

_BITS = 256
LENGTH = _BITS // 8


def signature_of(text: str) -> tuple[int, bytes]:
    """How many different words a text has, and a bit for each of them, which some share."""
    words = words_in(text)
    bits = 0
    for word in words:
        bits |= 1 << crc32(word.encode("utf-8", "surrogatepass")) % _BITS
    return len(words), bits.to_bytes(LENGTH, "little")


def can_be_alike(words: int, bits: int, other_words: int, other: bytes) -> bool:
    """False only where their words are certainly not alike."""
    # Each bit that the other text lacks stands for at least one word that it lacks.
    missing = (bits & ~int.from_bytes(other, "little")).bit_count()
    shared = min(words - missing, other_words)
    return shared >= ALIKE * (words + other_words - shared)
