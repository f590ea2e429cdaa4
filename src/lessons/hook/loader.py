"""Run from inside the bundle: loads what every call needs, and finds the rest when it is imported.

This file is stored compiled in the bundle and never imported. Whatever is wrong raises, with nothing left loaded: the
hook then imports as usual. Each import of a builtin module costs as much as loading one of ours: there are none here
but those that every interpreter has loaded already.
"""

import _imp
import marshal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os as system
    from types import CodeType, ModuleType
    from typing import Any
else:
    system = sys.modules.get("posix") or sys.modules["os"]

Spec = type(marshal.__spec__)
root: str = globals()["root"]
bundle: "dict[str, Any]" = globals()["bundle"]


def is_unchanged(source: str, size: int, time: int) -> bool:
    status = system.stat(f"{root}/{source}")
    return status.st_size == size and status.st_mtime_ns == time


def run(module: "ModuleType", parent: str, child: str, package: str, code: "CodeType") -> None:
    if package:
        module.__path__ = [f"{root}/{package}"]
    if parent:
        setattr(sys.modules[parent], child, module)
    exec(code, module.__dict__)


class Late:
    """Finds the modules that only some calls need, and reads no more of their file than those."""

    def __init__(self, names: list[str], path: str) -> None:
        self.names = names
        self.path = path
        self.file = -1
        self.begin = 0  # of the modules, behind the index
        self.index: dict[str, Any] = {}
        self.found: dict[str, Any] = {}  # of modules that are about to be run

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        if name not in self.names:
            return None
        try:
            if self.file < 0:
                self.file = system.open(self.path, system.O_RDONLY | getattr(system, "O_BINARY", 0))
                self.begin = 8 + int.from_bytes(self.read(0, 8), "little")
                self.index = marshal.loads(self.read(8, self.begin - 8))
            stamp, checksum, place, offset, length = self.index[name]
            code = self.read(self.begin + offset, length)
            # Damage met now could no longer be mended by loading everything anew: such a module comes from its file.
            if is_unchanged(*stamp) and 1 + int.from_bytes(code, "little") % 1073741789 == checksum:
                self.found[name] = place, code
                return Spec(name, self)  # type: ignore[arg-type]
        except Exception:
            pass
        return None

    def read(self, offset: int, length: int) -> bytes:
        system.lseek(self.file, offset, 0)
        return system.read(self.file, length)

    def create_module(self, spec: object) -> None:
        """The usual kind of module will do."""

    def exec_module(self, module: "ModuleType") -> None:
        (parent, child, package), code = self.found.pop(module.__name__)
        run(module, parent, child, package, marshal.loads(code))


if bundle["version"] != sys.hexversion:
    raise ValueError
for each in bundle["sources"]:
    if not is_unchanged(*each):
        raise ValueError
try:
    # Modules written in C and where they lie: finding them anew would cost more than loading them.
    for native_name, origin in bundle["natives"]:
        native = sys.modules[native_name] = _imp.create_dynamic(Spec(native_name, None, origin=origin))
        _imp.exec_dynamic(native)
    for one_name, one in bundle["modules"]:
        sys.modules[one_name] = type(sys)(one_name)
        run(sys.modules[one_name], *one)
except BaseException:
    for loaded in [loaded for loaded in sys.modules if loaded.partition(".")[0] == "lessons"]:
        del sys.modules[loaded]
    raise
sys.meta_path.insert(0, Late(bundle["late"], f"{root}/{bundle['lateFile']}"))  # type: ignore[arg-type]
