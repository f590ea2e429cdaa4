"""Candidates that need no decision any more: a lesson of the user answers them."""

from collections import Counter
from collections.abc import Iterable
from functools import partial

from lessons.candidate import StoredCandidate
from lessons.promote.backtest import own_rule
from lessons.promote.matching import Matcher
from lessons.store import lesson_file
from lessons.store.history.history import History
from lessons.store.logs import analysed

# It covers a mistake if it fires on this share of the failed calls.
SHARE_OF_FAILURES = 0.6
MOST_CALLS = 20  # the newest are enough


def closed(history: History, candidates: Iterable[StoredCandidate]) -> set[str]:
    """Returns the fingerprints of those whose failures a lesson covers that leaves alone the calls that worked."""
    stored = [each for each in lesson_file.read(history.home).lessons() if each.stage != "retired"]
    rules = {lesson.slug: rule for lesson in stored if (rule := own_rule(lesson))}
    if not rules:
        return set()
    matcher = Matcher(history, [each for each in stored if each.slug in rules], lambda lesson: rules[lesson.slug])

    def is_closed(candidate: StoredCandidate) -> bool:
        newest = [each for each in candidate.evidence if each.tool_use_id][-MOST_CALLS:]
        failed = [call for call in history.calls.past(each.tool_use_id or "" for each in newest) if call.error]
        fired = Counter(lesson.slug for call in failed for lesson in matcher.fired(call))
        most = int((1 - SHARE_OF_FAILURES) * len(failed))
        covering = {slug for slug, number in fired.items() if len(failed) - number <= most}
        fixed = history.calls.past(each.fix_tool_use_id or "" for each in newest) if covering else ()
        return bool(covering.difference(lesson.slug for call in fixed for lesson in matcher.fired(call)))

    return {
        each.fingerprint
        for each in candidates
        if analysed(history.home, each.fingerprint, partial(is_closed, each), lambda fault: False)
    }
