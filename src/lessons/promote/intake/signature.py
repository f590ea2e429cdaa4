"""Encodes the words of a text in a few bytes, to exclude quickly that two texts are alike."""

from zlib import crc32

from lessons.promote.intake.similarity import ALIKE, words_in

_BITS = 256
LENGTH = _BITS // 8


def signature_of(text: str) -> tuple[int, bytes]:
    """Returns the number of different words in a text, and a bit for each of them; words may share a bit."""
    words = words_in(text)
    bits = 0
    for word in words:
        bits |= 1 << crc32(word.encode("utf-8", "surrogatepass")) % _BITS
    return len(words), bits.to_bytes(LENGTH, "little")


def can_be_alike(words: int, bits: int, other_words: int, other: bytes) -> bool:
    """Returns False only if their words are certainly not alike."""
    # Each bit that the other text lacks means at least one missing word.
    missing = (bits & ~int.from_bytes(other, "little")).bit_count()
    shared = min(words - missing, other_words)
    return shared >= ALIKE * (words + other_words - shared)
