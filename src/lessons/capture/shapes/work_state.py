"""An error in, whether it tells where the work stands out: conflicts, rejected pushes, nothing to do, a check that fails."""

import re

_STATE = re.compile(
    "|".join(
        (
            r"CONFLICT \(|[Mm]erge conflict|leftover conflict marker|fix conflicts|[Uu]nmerged (?:paths|files)|could not apply [0-9a-f]{7}",
            r"\[(?:remote )?rejected\]|non-fast-forward|[Nn]ot possible to fast-forward|have diverged|failed to push some refs|Updates were rejected",
            r"nothing (?:added )?to commit|no changes added to commit|working tree clean|is now empty",
            r"^no (?:open )?(?:pull requests|issues|results|matches|open PRs|changes)\b|[Nn]othing to (?:do|compare|rebase)",
            r"^\S.{0,100}\t(?:fail|pass|pending|skipping)\t",  # a table of checks
            r"[Rr]efusing to |[Ww]orking directory has uncommitted|uncommitted changes:",
        )
    ),
    re.MULTILINE,
)


def is_state_of_work(text: str) -> bool:
    return _STATE.search(text) is not None
