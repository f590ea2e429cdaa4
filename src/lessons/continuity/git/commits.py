"""Finds commits made since the last check, and which commits of a session still exist."""

import time
from datetime import UTC, datetime
from typing import NamedTuple

from lessons.continuity.git.commit_details import Details, details_of
from lessons.continuity.git.git import has_repository, head_of, is_hash, run
from lessons.continuity.git.reflog import Entry, Originals, entries_of, first_after, first_since, mark_of, start_of
from lessons.continuity.git.windows import Windows
from lessons.redact.texts import clean_name
from lessons.session import Commit, CommitTracker, SessionState
from lessons.store.project_state.branch import current_branch
from lessons.store.project_state.timestamps import seconds

_MOST_COMMITS = 300
_MOST_OWN = 50  # commits of a session that are checked again
# A recent commit that cannot be this session's is left for the session whose call may be making it right now.
_OTHERS_SECONDS = 120
_NEAR_SECONDS = 2  # a reflog has whole seconds, and a transcript is written slightly later
_JOINING = ("squash", "fixup")


class _Made(NamedTuple):
    entry: Entry
    kind: str
    replaces: str = ""


def new_commits(
    root: str,
    tracker: CommitTracker,
    since: str,
    session: SessionState | None,
    windows: Windows,
    now: float | None = None,
) -> tuple[list[Commit], CommitTracker]:
    """Returns the commits after those in the tracker, oldest first, and the updated tracker.

    Ignores what a pull, a checkout or a reset brought. The first check counts only commits since `since`. Commits made
    in one of the windows belong to the session; a commit left for another session does not delay them.
    """
    now = time.time() if now is None else now
    if not has_repository(root):
        return [], tracker
    entries, start, stop, known = _span(root, tracker, since, windows, now)
    made_here = [number for number in range(start, len(entries)) if entries[number].kind]
    found = [number for number in made_here if number < stop or _is_within(entries[number], windows)][-_MOST_COMMITS:]
    details = details_of(root, [entries[number].new for number in found])
    if details is None:
        return [], tracker
    if (known.last_head, known.last_entry) == (tracker.last_head, tracker.last_entry):
        known = tracker
    else:
        known.updated_at = _moment(now)
    made = _made(root, entries, found, details)
    return [
        _commit(each, details[each.entry.new], session if _is_within(each.entry, windows) else None) for each in made
    ], known


def _span(
    root: str, tracker: CommitTracker, since: str, windows: Windows, now: float
) -> tuple[list[Entry], int, int, CommitTracker]:
    """Returns all reflog entries, where the new ones start and end, and the updated tracker."""
    entries = entries_of(root, current_branch(root), tracker.last_entry)
    if not entries:
        entries, known = _without_reflog(root, tracker, since)
        return entries, 0, len(entries), known
    mark = tracker.last_entry
    start = first_after(entries, mark) if mark else first_since(entries, int(seconds(since)))
    stop = _first_left(entries, start, now - _OTHERS_SECONDS, windows)
    head = entries[stop - 1].new if stop else ""
    return (
        entries,
        start,
        stop,
        CommitTracker(last_head=head, last_entry=mark_of(entries[:stop]) or f"{int(seconds(since))}"),
    )


def _is_within(entry: Entry, windows: Windows) -> bool:
    return any(begin - _NEAR_SECONDS <= entry.time <= end + _NEAR_SECONDS for begin, end in windows)


def _first_left(entries: list[Entry], start: int, since: float, windows: Windows) -> int:
    """Returns the index of the first commit that is newer than `since` and outside all windows."""
    for number in range(start, len(entries)):
        entry = entries[number]
        if entry.kind and entry.time > since and not _is_within(entry, windows):
            return number
    return len(entries)


def _made(root: str, entries: list[Entry], found: list[int], details: dict[str, Details]) -> list[_Made]:
    """Returns the entries that made a commit; of several joined into one, only the last."""
    made: list[_Made] = []
    rebases: dict[int, Originals] = {}
    for number in found:
        entry = entries[number]
        commit = details.get(entry.new)
        if commit is None or (entry.kind == "merge" and not _is_merge(commit, entry)):
            continue
        if entry.kind != "rebase":
            made.append(_Made(entry, entry.kind, entry.old if entry.kind == "amend" else ""))
            continue
        start = start_of(entries, number)
        if start not in rebases:
            rebases[start] = Originals(root, entries[start] if start >= 0 else None)
        original = rebases[start].of(commit, entry.step)
        if original == entry.new:
            continue
        if entry.step in _JOINING:
            before = made.pop() if made and made[-1].entry.new == entry.old and made[-1].kind == "rebase" else None
            original = before.replaces if before else entry.old
        made.append(_Made(entry, "rebase", original))
    return made


def _is_merge(commit: Details, entry: Entry) -> bool:
    """Whether a merge was made from where HEAD was; otherwise HEAD may have moved to an existing one."""
    return len(commit.parents) > 1 and entry.old in ("", commit.parents[0])


def _commit(made: _Made, details: Details, session: SessionState | None) -> Commit:
    entry = made.entry
    joined = session if session and entry.time >= int(seconds(session.started_at)) else None
    return Commit(
        timestamp=_moment(entry.time),
        hash=entry.new,
        short_hash=entry.new[:7],
        message=details.message,
        author=details.author,
        author_date=details.author_date,
        branch=clean_name(entry.branch),
        files_changed=details.files_changed,
        files_list=details.files,
        session=joined.session if joined else None,
        session_id=joined.session_id if joined else None,
        kind=made.kind,
        replaces=made.replaces or None,
    )


def _without_reflog(root: str, tracker: CommitTracker, since: str) -> tuple[list[Entry], CommitTracker]:
    """For repositories without a reflog: returns commits after the last known HEAD, if this user committed them."""
    head = head_of(root)
    if not head:
        return [], tracker
    last, branch = tracker.last_head, current_branch(root)
    show = ("log", "--reverse", f"--max-count={_MOST_COMMITS}", "--format=%H %ct %P|%ce", head)
    answer = run(root, *show, "--not", last, "--") if is_hash(last) else None
    earliest = 0 if answer is not None else int(seconds(tracker.updated_at or since))
    answer = run(root, *show, f"--since=@{earliest} +0000", "--") if answer is None else answer
    identity = run(root, "var", "GIT_COMMITTER_IDENT") or ""
    own = identity.rpartition(">")[0].rpartition("<")[2]
    entries = []
    for line in (answer or "").splitlines():
        words, _, committer = line.partition("|")
        new, moment, *parents = words.split()
        if int(moment) >= earliest and own in ("", committer):
            reason = "commit (merge): " if len(parents) > 1 else "commit: "
            entries.append(Entry(int(moment), parents[0] if parents else "", new, reason, branch))
    return entries, CommitTracker(last_head=head)


def _moment(seconds: float) -> str:
    try:
        return f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%dT%H:%M:%S}Z"
    except (ValueError, OverflowError, OSError):
        return ""


def still_there(root: str, own: list[Commit], log: list[Commit]) -> list[Commit]:
    """Removes commits that were replaced or are on no branch any more; latest last."""
    replaced = {each.replaces for each in log}
    left = [each for each in own if each.hash not in replaced and is_hash(each.hash)][-_MOST_OWN:]
    if not left:
        return []
    # Commits reachable from these but from no ref; ignores those that git has already deleted.
    names = ("HEAD", "--branches", "--tags", "--remotes")
    answer = run(
        root,
        *("rev-list", "--ignore-missing", f"--max-count={20 * _MOST_OWN}"),
        *(*(each.hash for each in left), "--not", *names, "--"),
    )
    gone = set((answer or "").split())
    return [each for each in left if each.hash not in gone]
