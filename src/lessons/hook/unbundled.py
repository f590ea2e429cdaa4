"""Runs the hook with ordinary imports, where there is no usable bundle, and exits."""

import sys

from lessons.system import system

# Only an incomplete package exits differently: the installed command sees it, informs the user, and exits 0.
status = 1
try:
    from lessons.hook.main import run

    status = run(sys.argv[1], sys.argv[2:])
finally:
    system._exit(status)
