"""Derives the triggers of a lesson from the findings of one pattern, if they quote the same code as wrong."""

import os
import re
from collections import Counter
from collections.abc import Sequence

from lessons.code_review import Finding
from lessons.reviews.consolidate import Cluster
from lessons.reviews.quoted_code import blamed_code, forbidden_code, key_of, quoted_code

_LEAST_ENTRIES = 2
_SHARE = 0.5  # of the entries that quote any code
_SPECIAL = re.compile(r"([.^$*+?{}\[\]\\|()])")


def triggers_of(cluster: Cluster) -> dict[str, object]:
    """Returns a content pattern, gated by a path pattern if all files are of one type; empty if no code recurs."""
    quoting = [each for each in cluster.occurrences if any(one.code for one in each.findings)]
    counts = Counter(key for each in quoting for key in _keys(each.findings))
    good = {key_of(code) for each in quoting for one in each.findings for code in quoted_code(one.text).recommended}
    usable = {key: count for key, count in counts.items() if key not in good and _is_telling(key)}
    blamed = Counter(key for each in quoting for one in each.findings for key in map(key_of, blamed_code(one.text)))
    best = min(usable, key=lambda key: (-usable[key], -blamed[key], -len(key), key), default="")
    if not best or usable[best] < max(_LEAST_ENTRIES, _SHARE * len(quoting)):
        return {}
    findings = [one for each in quoting for one in each.findings if best in _keys([one])]
    paths = _path_patterns(findings)
    return {"contentPatterns": [_pattern(best, findings)], **({"pathPatterns": paths} if paths else {})}


def _keys(findings: Sequence[Finding]) -> set[str]:
    """Returns the code that the findings reject everywhere, as far as their text shows."""
    found = set()
    for one in findings:
        only_named = {*quoted_code(one.text).wrong} - {*forbidden_code(one.text)}
        found |= {key_of(code) for code in one.code if code not in only_named}
    return found


def _is_telling(key: str) -> bool:
    return len(re.findall(r"\w", key)) >= 4


def _pattern(key: str, findings: Sequence[Finding]) -> str:
    """Matches the code literally; white space may differ, and it must not be part of a longer name."""
    escaped = r"\s+".join(_SPECIAL.sub(r"\\\1", word) for word in key.split())
    calls = [code for one in findings for code in one.code if key_of(code) == key]
    end = r"\s*\(" if all(code.endswith(")") and code != key for code in calls) else r"\b" if key[-1].isalnum() else ""
    return (r"\b" if key[0].isalnum() or key[0] == "_" else "") + escaped + end


def _path_patterns(findings: Sequence[Finding]) -> list[str]:
    endings = {os.path.splitext(one.path)[1] for one in findings if one.path}
    return [f"**/*{endings.pop()}"] if len(endings) == 1 and "" not in endings else []
