"""`make report-pictures`: the report of a made history, as Chromium shows it, in; docs/report-*.png out."""

import tempfile
from pathlib import Path

from playwright.sync_api import FloatRect

from lessons import config
from lessons.report.compose import compose
from lessons.report.page import page
from lessons.store.history.history import History
from tests.browser.chromium import SIZES, Scheme, browser, shown
from tests.builders.months import Months

_FOLDER = Path(__file__).parent
_TOP: FloatRect = {"x": 130, "y": 0, "width": 840, "height": 1400}  # enough to see how it looks, in a small file
_PICTURES: dict[str, tuple[str, Scheme, FloatRect | None]] = {
    "report-desktop.png": ("desktop", "light", _TOP),
    "report-desktop-dark.png": ("desktop", "dark", None),
    "report-phone.png": ("phone", "light", None),
    "report-phone-dark.png": ("phone", "dark", None),
    "report-print.png": ("print", "light", None),
}


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="lessons-pictures-") as folder:
        home = Months(Path(folder)).fill().path
        with History.for_reading(home) as history:
            text = page(compose(history, config.load(home, {})))
        file = Path(folder) / "report.html"
        file.write_text(text, encoding="utf-8")
        with browser() as started:
            for name, (size, scheme, part) in _PICTURES.items():
                with shown(started, file, SIZES[size], scheme) as found:
                    found.page.screenshot(path=_FOLDER / name, full_page=part is not None, clip=part)


if __name__ == "__main__":
    main()
