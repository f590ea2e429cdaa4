"""Findings as workflow commands, which GitHub Actions shows on the lines of a pull request."""

from collections.abc import Iterable

from lessons.reviews.check.run import Finding

_COMMANDS = {"warn": "warning", "fail": "error"}


def annotations(findings: Iterable[Finding]) -> list[str]:
    return [_annotation(each) for each in findings]


def _annotation(finding: Finding) -> str:
    place = f"file={_property(finding.file)},line={finding.line},title={_property('lessons: ' + finding.slug)}"
    return f"::{_COMMANDS[finding.level]} {place}::{_data(finding.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
