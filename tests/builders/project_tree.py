"""A folder in, a small repository with nested and equal names out."""

import subprocess
from pathlib import Path

_FILES = {
    "README.md": "# Shop\n", "Makefile": "test:\n\t@true\nbuild:\n\t@true\n", "package.json": '{"name": "shop"}\n',
    "requirements.txt": "\n", "docs/guide.md": "# Guide\n", "scripts/run.sh": "#!/bin/sh\nexit 0\n",
    "scripts/tool.py": "print('tool')\n", "src/main.py": "print('main')\n", "src/util/text.py": "WIDTH = 80\n",
    "src/src/deep.txt": "deep\n", "tests/test_main.py": "def test_main(): pass\n",
    "web/package.json": '{"name": "web"}\n', "web/README.md": "# Web\n", "web/src/app.ts": "export const total = 1\n",
    "web/src/lib/x.ts": "export {}\n", "web/web/inner.txt": "inner\n", "api/main.py": "print('api')\n",
    "api/src/handlers.py": "HANDLERS = []\n", "data/a.csv": "a,b\n1,2\n", "with space/file.txt": "x\n",
}  # fmt: skip


def make_tree(root: Path) -> Path:
    for name, text in _FILES.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (root / "scripts" / "run.sh").chmod(0o755)
    who = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.com"]
    for arguments in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "Begin"]):
        subprocess.run(["git", *arguments], cwd=root, check=True, timeout=60)
    return root
