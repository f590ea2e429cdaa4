"""Runs from inside the bundle: loads what every call needs, and finds the rest when it is imported.

This file is stored compiled in the bundle and never imported. Any fault raises and leaves nothing loaded: the hook then
imports as usual. Importing a builtin module costs as much as loading one of ours, so this uses only modules that every
interpreter has already loaded.
"""

import _imp
import marshal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os as system
    from importlib.machinery import ModuleSpec
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
    """Finds the modules that only some calls need, and reads only those from their file."""

    def __init__(self, names: list[str], path: str) -> None:
        self.names = names
        self.path = path
        self.file = -1
        self.begin = 0  # of the modules, after the index
        self.index: dict[str, Any] = {}

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        if name not in self.names:
            return None
        try:
            if self.file < 0:
                self.file = system.open(self.path, system.O_RDONLY | getattr(system, "O_BINARY", 0))
                self.begin = 8 + int.from_bytes(self.read(0, 8), "little")
                self.index = marshal.loads(self.read(8, self.begin - 8))
            stamps, checksum, offset, length = self.index[name]
            stored = self.read(self.begin + offset, length)
            # Damage found now can no longer be repaired by reloading everything: such a module is imported from its
            # file.
            if _imp.source_hash(bundle["checkKey"], stored) == checksum:
                for stamp in stamps:
                    if not is_unchanged(*stamp):
                        return None
                load(marshal.loads(stored))
                return Spec(name, self)  # type: ignore[arg-type]
        except Exception:
            pass
        return None

    def read(self, offset: int, length: int) -> bytes:
        system.lseek(self.file, offset, 0)
        return system.read(self.file, length)

    def create_module(self, spec: "ModuleSpec") -> "ModuleType":
        """Returns the module, which has been loaded with the others of its row."""
        return sys.modules[spec.name]

    def exec_module(self, module: "ModuleType") -> None:
        """Does nothing: the module has been run."""


def load(modules: "list[tuple[str, tuple[str, str, str, CodeType]]]") -> None:
    """Loads the modules that are not loaded yet, all or none of them."""
    new = [(name, one) for name, one in modules if name not in sys.modules]
    try:
        for name, one in new:
            sys.modules[name] = type(sys)(name)
            run(sys.modules[name], *one)
    except BaseException:
        for name, _ in new:
            sys.modules.pop(name, None)
        raise


if bundle["version"] != sys.hexversion:
    raise ValueError
for each in bundle["sources"]:
    if not is_unchanged(*each):
        raise ValueError
try:
    # C modules and their paths: searching for them would cost more than loading them.
    for native_name, origin in bundle["natives"]:
        native = sys.modules[native_name] = _imp.create_dynamic(Spec(native_name, None, origin=origin))
        _imp.exec_dynamic(native)
except BaseException:
    for native_name, _ in bundle["natives"]:
        sys.modules.pop(native_name, None)
    raise
load(bundle["modules"])
sys.meta_path.insert(0, Late(bundle["late"], f"{root}/{bundle['lateFile']}"))  # type: ignore[arg-type]
