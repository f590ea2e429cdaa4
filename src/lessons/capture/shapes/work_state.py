"""Whether an error reports the state of the work: conflicts, rejected pushes, failing checks."""

from lessons.capture.shapes.literals import said, says

_STATE = said(
    ("CONFLICT (", ""),
    ("onflict", r"[Mm]erge conflict|leftover conflict marker|fix conflicts"),
    ("nmerged ", r"[Uu]nmerged (?:paths|files)"),
    ("could not apply ", r"could not apply [0-9a-f]{7}"),
    ("rejected", r"\[(?:remote )?rejected\]|Updates were rejected"),
    ("fast-forward", r"non-fast-forward|[Nn]ot possible to fast-forward"),
    ("have diverged", ""),
    ("divergent branches", ""),
    ("failed to push some refs", ""),
    ("to commit", r"nothing (?:added )?to commit|no changes added to commit"),
    ("clean", r"working tree clean|[Ww]orking (?:directory|tree) (?:is )?not clean"),
    ("is now empty", ""),
    ("is not fully merged", ""),
    ("no ", r"^no (?:open )?(?:pull requests|issues|checks|results|matches|open PRs|changes)\b"),
    ("no merge to abort", ""),
    ("in progress", r"[Nn]o (?:rebase|merge|cherry-pick|bisect) in progress"),
    ("No stash entries", ""),
    ("othing to ", r"[Nn]othing to (?:do|compare|rebase)"),
    ("No commits between", ""),
    ("already exists", r"\bpull request .{0,200} already exists"),
    ("already exists", r"\ba branch named .{1,200} already exists"),
    ("completed with ", r"completed with '(?:failure|cancelled)'"),
    ("not mergeable", ""),
    ("previously published version", ""),
    ("\t", r"^\S.{0,100}\t(?:fail|pass|pending|skipping)\t"),  # a table of checks
    ("efusing to ", ""),
    ("uncommitted", r"[Ww]orking directory has uncommitted|uncommitted changes:"),
)


def is_state_of_work(text: str) -> bool:
    return says(text, _STATE)
