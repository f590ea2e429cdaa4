"""Excluded projects: a folder and all below it, its name, a pattern; in the spelling of either system."""

from lessons.store.consent import consent
from lessons.store.forgotten import Forgotten
from tests.tables import table


def refuses(pattern: str, folder: str) -> bool:
    return consent([pattern], Forgotten()).refuses("session", folder, folder, "")


@table(
    ("pattern", "folder"),
    [
        ("/home/me/hush", "/home/me/hushed"),
        ("/home/me/hush", "/home/me"),
        ("hush", "/home/me/hushed"),
        ("C:\\hush", "D:\\hush"),
        ("C:\\hush", "C:\\hushed"),
        ("C:\\hush\\deep", "C:\\hush"),
        ("*\\hush", "C:\\hushed"),
    ],
)
def test_what_is_kept(pattern: str, folder: str) -> None:
    assert not refuses(pattern, folder)


@table(
    ("pattern", "folder"),
    [
        ("/home/me/hush", "/home/me/hush"),
        ("/home/me/hush/", "/home/me/hush/deep"),
        ("/", "/home/me"),
        ("odd\\name", "/home/me/odd\\name/deep"),
        ("C:\\Users\\me\\hush", "C:\\Users\\me\\hush\\deep"),
        ("c:\\Users\\me\\hush\\", "C:\\Users\\me\\hush"),
        ("C:/Users/me/hush", "c:\\Users\\me\\hush\\deep"),
        ("hush", "C:\\Users\\me\\hush\\deep"),
        ("*/hush", "C:\\Users\\me\\hush\\deep"),
        ("*\\hush", "C:\\Users\\me\\hush"),
        ("C:\\Users\\*\\hush", "c:\\Users\\me\\hush\\deep"),
    ],
)
def test_what_is_kept_out(pattern: str, folder: str) -> None:
    assert refuses(pattern, folder)


def test_a_call_in_a_folder_of_the_project_is_kept_out_by_that_folder() -> None:
    excluded = consent(["/home/me/shop/hush"], Forgotten())
    assert not excluded.refuses("session", "/home/me/shop", "/home/me/shop/web", "")
    assert excluded.refuses("session", "/home/me/shop", "/home/me/shop/hush/deep", "")
