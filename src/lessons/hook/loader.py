"""Run from inside the bundle: `bundle` and `root` in, what every call needs loaded, the rest found when imported.

This file is stored compiled in the bundle and never imported. Whatever is wrong raises, with nothing left loaded: the
hook then imports as usual.
"""

import _imp
import gc
import marshal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os as system
    from types import ModuleType
    from typing import Any

    # name, parent, child, package folder, marshalled code, 0 if it is needed at once, else a checksum of the code
    Module = tuple[str, str, str, str, bytes, int]
else:
    system = sys.modules.get("posix") or sys.modules["os"]

# The process ends before collecting garbage could ever pay.
gc.disable()
Spec = type(marshal.__spec__)
root: str = globals()["root"]
bundle: "dict[str, Any]" = globals()["bundle"]


class Bundled:
    """Finds the modules that only some calls need, so that the others do not pay for them."""

    def __init__(self, waiting: "dict[str, Module]") -> None:
        self.waiting = waiting

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        # Damage met now could no longer be mended by loading everything anew: such a module comes from its file.
        if name in self.waiting and checksum(self.waiting[name][4]) == self.waiting[name][5]:
            return Spec(name, self)  # type: ignore[arg-type]
        return None

    def create_module(self, spec: object) -> None:
        """The usual kind of module will do."""

    def exec_module(self, module: "ModuleType") -> None:
        run(module, self.waiting[module.__name__])


def checksum(code: bytes) -> int:
    return 1 + int.from_bytes(code, "little") % 1073741789


def run(module: "ModuleType", stored: "Module") -> None:
    _, parent, child, package, code, _ = stored
    if package:
        module.__path__ = [f"{root}/{package}"]
    if parent:
        setattr(sys.modules[parent], child, module)
    exec(marshal.loads(code), module.__dict__)


for source, size, time in bundle["sources"]:
    status = system.stat(f"{root}/{source}")
    if status.st_size != size or status.st_mtime_ns != time:
        raise ValueError
if bundle["version"] != sys.hexversion:
    raise ValueError
try:
    # Modules written in C and where they lie: finding them anew would cost more than loading them.
    for native_name, origin in bundle["natives"]:
        native = sys.modules[native_name] = _imp.create_dynamic(Spec(native_name, None, origin=origin))
        _imp.exec_dynamic(native)
    for one in bundle["modules"]:
        if not one[5]:
            sys.modules[one[0]] = type(sys)(one[0])
            run(sys.modules[one[0]], one)
except BaseException:
    for loaded in [loaded for loaded in sys.modules if loaded.partition(".")[0] == "lessons"]:
        del sys.modules[loaded]
    raise
sys.meta_path.insert(0, Bundled({one[0]: one for one in bundle["modules"] if one[5]}))  # type: ignore[arg-type]
