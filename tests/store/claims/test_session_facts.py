"""What a session remembers for its later events, whatever the values."""

from pathlib import Path

import pytest

from lessons.store.claims import session_facts, session_memory
from lessons.store.claims.claim_files import root_folders, session_folder


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path)


def session_path(home: str, session: str) -> Path:
    return Path(root_folders(home)[0]) / session_folder(session)


def test_the_model_is_remembered_for_its_session(home: str) -> None:
    assert session_facts.model_of(home, "s") == ""
    session_facts.remember_model(home, "s", "claude-opus-5")
    session_facts.remember_model(home, "", "claude-haiku-5")
    session_facts.remember_model(home, "s", "")
    assert session_facts.model_of(home, "s") == "claude-opus-5"
    assert session_facts.model_of(home, "s2") == ""
    assert session_facts.model_of(home, "") == ""
    session_facts.remember_model(home, "s", "x")
    assert session_facts.model_of(home, "s") == "x"


def test_a_strange_model_is_cut_and_kept_as_text(home: str) -> None:
    session_facts.remember_model(home, "s", "é" * 500)
    assert session_facts.model_of(home, "s") == "é" * 100
    session_facts.remember_model(home, "s", "a\ud800b")
    assert session_facts.model_of(home, "s") == "a?b"


def test_the_root_is_remembered_for_its_session(home: str) -> None:
    assert session_facts.root_of(home, "s") == ""
    for root in ("/home/dev/shop", "/x", "/é/日本", "/a\ud800b", "/" + "deep/" * 1000):
        session_facts.remember_root(home, "s", root)
        assert session_facts.root_of(home, "s") == root
    session_facts.remember_root(home, "s", "/" + "x" * 10_000)
    session_facts.remember_root(home, "", "/y")
    assert session_facts.root_of(home, "s").startswith("/deep/")
    assert session_facts.root_of(home, "") == session_facts.root_of(home, "s2") == ""
    (session_path(home, "s") / "root").write_bytes(b"\xff")
    assert session_facts.root_of(home, "s") == ""
    session_memory.forget_session(home, "s")
    assert not session_path(home, "s").exists()
