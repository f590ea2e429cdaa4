"""The file that the installed command runs: loads the hook as fast as can be, runs it, and exits 0 whatever happens.

A script is compiled anew at each start, so this one is short: the hook's modules come from the bundle that
`lessons.hook.bundle` writes, or, where that is missing or older than a source file, by ordinary imports.
"""

import marshal
import sys

try:
    import posix as system
except ImportError:
    import os as system  # type: ignore[no-redef]
# Only a package that is not whole ends otherwise: the installed command sees it, tells the person, and exits 0.
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
