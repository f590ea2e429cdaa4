"""Stores facts about a lesson, so that a new one can be compared with it without reading it."""

from lessons.model import Lesson
from lessons.promote.intake import intake
from lessons.promote.intake.signature import signature_of
from lessons.store.compiled_lessons import digest_of
from lessons.store.compiled_rows import Facts


def facts_of(lesson: Lesson) -> Facts:
    words, signature = signature_of(intake.words_of(lesson))
    return Facts(
        id=lesson.id,
        slug=lesson.slug,
        content=digest_of(intake.hash_of(lesson).encode()),
        problem=digest_of(intake.text_key(lesson.problem).encode("utf-8", "surrogatepass")),
        words=words,
        signature=signature,
        patterns=tuple(intake.patterns_of(lesson)),
    )
