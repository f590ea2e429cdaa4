"""The real Chromium, driven by Playwright: every page runs without a network and reports its errors.

Run as a program it installs Debian's package if possible; otherwise the tests are skipped, with the reason.
"""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from tests.programs import install_missing, packages

PROGRAMS = {"chromium": "chromium"}
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--force-color-profile=srgb"]


class Size(NamedTuple):
    """A screen, or a sheet of paper."""

    width: int
    height: int
    media: Literal["screen", "print"] = "screen"


SIZES = {"desktop": Size(1100, 800), "phone": Size(390, 844), "print": Size(794, 1123, "print")}
Scheme = Literal["light", "dark"]


class Shown:
    """A page in the browser, and everything that it asked for and complained about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._asked)

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)


@contextmanager
def browser() -> Iterator[Browser]:
    """Skips the test where there is no Chromium."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("NOT TESTED in a browser: chromium is not installed (`make browser`, Debian package chromium)")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=_ARGUMENTS)
        try:
            yield started
        finally:
            started.close()


@contextmanager
def shown(started: Browser, file: Path, size: Size, scheme: Scheme) -> Iterator[Shown]:
    context = started.new_context(
        viewport={"width": size.width, "height": size.height}, color_scheme=scheme, offline=True
    )
    try:
        found = Shown(context.new_page())
        found.page.emulate_media(media=size.media, color_scheme=scheme)
        found.page.goto(file.as_uri())
        yield found
    finally:
        context.close()


def main() -> int:
    """Never fails: without it the tests are skipped."""
    if install_missing(PROGRAMS):
        print(f"browser: NOT TESTED. Install {', '.join(packages(PROGRAMS))}.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
