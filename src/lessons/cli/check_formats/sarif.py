"""Findings as SARIF 2.1.0, which code scanning services read."""

import os
from collections.abc import Sequence
from urllib.parse import quote

from lessons import __version__
from lessons.reviews.check.run import Finding
from lessons.store.published import PublishedLesson

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"warn": "warning", "fail": "error"}


def sarif(findings: Sequence[Finding], lessons: Sequence[PublishedLesson]) -> dict[str, object]:
    """Returns one run; its rules are all lessons that were checked, including those without findings."""
    places = {lesson.slug: place for place, lesson in enumerate(lessons)}
    driver = {
        "name": "lessons",
        "semanticVersion": __version__,
        "rules": [_rule(lesson) for lesson in lessons],
    }
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The root of the project."}}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(each, places) for each in findings],
            }
        ],
    }


def _rule(lesson: PublishedLesson) -> dict[str, object]:
    return {
        "id": lesson.slug,
        "shortDescription": {"text": lesson.summary or lesson.slug},
        "fullDescription": {"text": lesson.injection or lesson.slug},
        "defaultConfiguration": {"level": "warning"},
    }


def _result(finding: Finding, places: dict[str, int]) -> dict[str, object]:
    location = {
        "artifactLocation": {"uri": quote(os.fsencode(finding.file)), "uriBaseId": "SRCROOT"},
        "region": {"startLine": finding.line},
    }
    return {
        "ruleId": finding.slug,
        "ruleIndex": places[finding.slug],
        "level": _LEVELS[finding.level],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": location}],
    }
