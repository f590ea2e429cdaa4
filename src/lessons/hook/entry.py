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
    folder = __file__.replace("\\", "/").rpartition("/")[0]
    root = folder.rpartition("/")[0].rpartition("/")[0]
    sys.path.append(root)
    try:
        with open(f"{folder}/__pycache__/hook.{sys.implementation.cache_tag}.bundle", "rb") as file:
            version, sources, loader, parts = marshal.loads(file.read())
        for path, stamp in sources:
            found = system.stat(f"{root}/{path}")
            if (found.st_size, found.st_mtime_ns, sys.hexversion) != (*stamp, version):
                raise ValueError
        exec(loader, {**parts, "root": root})
    except Exception:
        for name in [name for name in sys.modules if name.partition(".")[0] == "lessons"]:
            del sys.modules[name]
    from lessons.hook.main import run

    status = run(sys.argv[1], sys.argv[2:])
finally:
    system._exit(status)
