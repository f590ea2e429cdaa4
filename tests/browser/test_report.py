"""The report in the real Chromium: on a desktop, a phone and paper, light and dark."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from lessons.report.page import page
from tests.browser.chromium import SIZES, Scheme, browser, shown
from tests.builders.reports import EMPTY, full
from tests.report.test_page import HOSTILE

CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
AA = 4.5
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
# Elements that reach out of the screen, unless they are in a part of the page that scrolls by itself.
TOO_WIDE = """() => [...document.querySelectorAll("body *")]
  .filter((each) => !each.closest(".scroll") && each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => each.outerHTML.slice(0, 100))"""
OVERLAPPING = """() => [...document.querySelectorAll("svg")].filter((each) => each.getClientRects().length).flatMap((svg) => {
  const boxes = [...svg.querySelectorAll("text")].map((each) => [each.textContent, each.getBoundingClientRect()]);
  return boxes.flatMap(([name, one], number) => boxes.slice(number + 1)
    .filter(([, two]) => one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 2 && two.top < one.bottom - 2)
    .map(([other]) => `${name} / ${other}`));
})"""  # noqa: E501


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    reports = {
        "empty": EMPTY,
        "full": full("A summary of about the usual length for a lesson"),
        "hostile": full(HOSTILE),
        "long": full("longwordwithoutanyspace" * 9),
    }
    for name, report in reports.items():
        (folder / f"{name}.html").write_text(page(report), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in reports}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
def test_the_page_is_quiet_readable_and_fits(
    chromium: Browser, pages: dict[str, Path], size: str, scheme: Scheme
) -> None:
    for name, file in pages.items():
        with shown(chromium, file, SIZES[size], scheme) as found:
            found.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
            assert found.requests == [file.as_uri()], "the page asks for something else"
            assert found.complaints == []
            texts = found.page.evaluate(CONTRAST)
            assert len(texts) > 20
            assert [each for each in texts if each[1] < AA] == [], f"{name} {size} {scheme}"
            assert found.page.evaluate(TOO_WIDE) == [], f"{name} {size}"
            if name == "full":
                assert found.page.evaluate(OVERLAPPING) == [], f"{name} {size}"


def test_dark_is_dark_and_paper_is_white(chromium: Browser, pages: dict[str, Path]) -> None:
    look = "getComputedStyle(document.body).backgroundColor"
    colours = {}
    for size, scheme in (("desktop", "light"), ("desktop", "dark"), ("print", "dark")):
        with shown(chromium, pages["full"], SIZES[size], "dark" if scheme == "dark" else "light") as found:
            colours[size, scheme] = found.page.evaluate(look)
    assert colours["desktop", "light"] == colours["print", "dark"] == "rgb(255, 255, 255)"
    assert colours["desktop", "dark"] != colours["desktop", "light"]


def test_on_a_phone_a_plot_is_scrolled_and_its_text_stays_readable(chromium: Browser, pages: dict[str, Path]) -> None:
    look = """[...document.querySelectorAll(".plot")].map((each) =>
      [each.scrollWidth > each.clientWidth, each.querySelector("svg").getBoundingClientRect().width >= 576])"""
    with shown(chromium, pages["full"], SIZES["phone"], "light") as found:
        assert set(map(tuple, found.page.evaluate(look))) == {(True, True)}


def test_a_script_in_it_would_not_run(chromium: Browser, pages: dict[str, Path], tmp_path: Path) -> None:
    """Should the escaping ever fail, the policy of the page is the second net."""
    file = tmp_path / "spoiled.html"
    text = pages["full"].read_text(encoding="utf-8")
    file.write_text(text.replace("<main>", "<main><script>document.title = 'ran'</script>"), encoding="utf-8")
    with shown(chromium, file, SIZES["desktop"], "light") as found:
        assert found.page.title().startswith("lessons report")
        assert any("Content Security Policy" in each for each in found.complaints)
