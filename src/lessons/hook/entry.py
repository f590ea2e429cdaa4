"""The file that the installed command runs: loads the hook fast, runs it, and exits 0 (1 if the package is incomplete).

A script is recompiled at each start, so this one is short: the hook's modules come from the bundle that
`lessons.hook.bundle` writes, or, if that is missing or stale, by ordinary imports.
"""

import marshal
import sys

try:
    import posix as system
except ImportError:
    import os as system  # type: ignore[no-redef]
# Only an incomplete package exits differently: the installed command sees it, informs the user, and exits 0.
status = 1
try:
    root = __file__.replace("\\", "/").removesuffix("/lessons/hook/entry.py")
    sys.path.append(root)
    try:
        with open(f"{root}/lessons/hook/__pycache__/hook.{sys.implementation.cache_tag}.bundle", "rb") as file:
            bundle = marshal.loads(file.read())
        exec(bundle["loader"], {"bundle": bundle, "root": root})
    except Exception:
        pass
    from lessons.hook.main import run

    status = run(sys.argv[1], sys.argv[2:])
finally:
    system._exit(status)
