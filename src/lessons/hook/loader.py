"""Runs from inside the bundle: loads what every call needs, finds the rest when it is imported, and runs the hook.

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
# Any number works: the hash only detects damage.
CHECK_KEY = 0x6C65_7373_6F6E


def builtin(name: str) -> "Any":
    """Returns a C module of the interpreter; an `import` would search for it, at several times the cost."""
    module = _imp.create_builtin(Spec(name, None))
    _imp.exec_builtin(module)
    return module


collector = builtin("gc")


def is_unchanged(source: str, size: int, time: int) -> bool:
    status = system.stat(f"{root}/{source}")
    return status.st_size == size and status.st_mtime_ns == time


def run_module(module: "ModuleType", parent: str, child: str, package: str, code: "CodeType") -> None:
    if package:
        module.__path__ = [f"{root}/{package}"]
    if parent:
        setattr(sys.modules[parent], child, module)
    exec(code, module.__dict__)


class Late:
    """Finds the modules that only some calls need, and reads only those from their file."""

    def __init__(self) -> None:
        self.file = -1
        self.begin = 0  # of the rows, after the index
        self.index = b""

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        if not name.startswith("lessons."):
            return None
        try:
            if self.file < 0:
                self.open()
            # Each module has a line. Splitting the only one that is needed costs less than loading a table.
            _, found, line = self.index.partition(b"\n%s " % name.encode())
            if not found:
                return None
            offset, length, head, checksum = line.partition(b"\n")[0].split()
            row = self.read(self.begin + int(offset), int(length))
            # Damage found now can no longer be repaired by reloading everything: such a module is imported from its
            # file.
            if b"%d" % int.from_bytes(_imp.source_hash(CHECK_KEY, row), "little") == checksum:
                load_row(memoryview(row), int(head))
                return Spec(name, self)  # type: ignore[arg-type]
        except Exception:
            pass
        return None

    def open(self) -> None:
        path = f"{root}/lessons/hook/__pycache__/hook.{sys.implementation.cache_tag}.late"
        self.file = system.open(path, system.O_RDONLY | getattr(system, "O_BINARY", 0))
        self.begin = 8 + int.from_bytes(self.read(0, 8), "little")
        self.index = self.read(8, self.begin - 8)

    def read(self, offset: int, length: int) -> bytes:
        system.lseek(self.file, offset, 0)
        return system.read(self.file, length)

    def create_module(self, spec: "ModuleSpec") -> "ModuleType":
        """Returns the module, which has been loaded with the others of its row."""
        return sys.modules[spec.name]

    def exec_module(self, module: "ModuleType") -> None:
        """Does nothing: the module has been run."""


def load_row(row: memoryview, head: int) -> None:
    """Loads the modules after the head of a row; raises ValueError if they are not made of the sources that are there.

    They stay until the process ends, so garbage collection would only cost time.
    """
    version, sources, natives = marshal.loads(row)
    if version != sys.hexversion:
        raise ValueError
    for source in sources:
        if not is_unchanged(*source):
            raise ValueError
    collector.disable()
    try:
        load(natives, marshal.loads(row[head:]))
        collector.freeze()
    finally:
        collector.enable()


def load(natives: "list[tuple[str, str]]", modules: "list[tuple[str, tuple[Any, ...]]]") -> None:
    """Loads the modules that are not loaded yet, all or none of them."""
    new = [name for name, _ in (*natives, *modules) if name not in sys.modules]
    try:
        for name, origin in natives:
            if name in new:
                sys.modules[name] = native(name, origin)
        for name, one in modules:
            if name in new:
                sys.modules[name] = type(sys)(name)
                run_module(sys.modules[name], *one)
    except BaseException:
        for name in new:
            sys.modules.pop(name, None)
        raise


def native(name: str, origin: str) -> "Any":
    """Returns a C module: a file, or part of the interpreter."""
    if not origin:
        return builtin(name)
    module = _imp.create_dynamic(Spec(name, None, origin=origin))
    _imp.exec_dynamic(module)
    return module


# After this program come the row of the modules that every call needs, its length, and the length of its head.
stored: bytes = globals().pop("stored")
lengths = [int.from_bytes(stored[-16:-8], "little"), int.from_bytes(stored[-8:], "little")]
load_row(memoryview(stored)[-16 - lengths[0] :], lengths[1])
del stored
sys.meta_path.insert(0, Late())  # type: ignore[arg-type]
exit_code = 1
try:
    from lessons.hook.main import run

    exit_code = run(sys.argv[1], sys.argv[2:])
finally:
    system._exit(exit_code)
