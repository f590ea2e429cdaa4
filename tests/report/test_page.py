"""The page: values are escaped, nothing is loaded, and the same report gives the same bytes."""

import re
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

from lessons.replay.cost import Cost
from lessons.report.document import Report
from lessons.report.page import page
from tests.builders.reports import EMPTY, full

HOSTILE = """</style></title><script>alert(1)</script><img src=x onerror=alert(2)>"'`{{ 7 * 7 }}{% raw %}&lt;"""
VOID = {"meta", "img", "br", "input", "link"}
LOADING = {"src", "href", "srcset", "data", "action", "style", "background", "poster"}


class Reader(HTMLParser):
    """Every element with its attributes; asserts that each is closed where it was opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


@pytest.mark.parametrize("report", [EMPTY, full(), full(HOSTILE)], ids=["empty", "full", "hostile"])
def test_nothing_is_loaded_and_nothing_runs(report: Report) -> None:
    text = page(report)
    found = Reader(text).found
    assert {tag for tag, _ in found} & {"script", "img", "iframe", "object", "embed", "link", "base", "form"} == set()
    named = {name for _, attributes in found for name in attributes}
    assert {name for name in named if name in LOADING or name.startswith("on")} == set()
    assert "url(" not in text and "@import" not in text and "http" not in text.replace("http-equiv", "")
    policy = next(each["content"] for _, each in found if each.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None and policy.startswith("default-src 'none'; style-src 'sha256-")


def test_hostile_words_are_only_words() -> None:
    text = page(full(HOSTILE))
    assert "{{ 7 * 7 }}" in text
    assert "<script" not in text and "<img" not in text and "onerror=alert(2)&gt;" in text
    assert len(Reader(text).found) == len(Reader(page(full())).found)


def test_every_plot_has_a_label_and_the_headings_are_in_order() -> None:
    found = Reader(page(full())).found
    plots = [attributes for tag, attributes in found if tag == "svg"]
    assert plots and all(each["role"] == "img" and each["aria-label"] for each in plots)
    levels = [tag for tag, _ in found if re.fullmatch("h[1-6]", tag)]
    assert levels == ["h1", *["h2"] * 8]
    ids = [attributes["id"] for _, attributes in found if "id" in attributes]
    assert len(set(ids)) == len(ids)
    assert [each["aria-labelledby"] for tag, each in found if tag == "section"] == ids


def test_an_empty_history_says_what_to_do() -> None:
    text = page(EMPTY)
    assert "run <code>lessons scan</code>" in text and "No hook has run yet" in text
    assert "<svg" not in text


def test_what_all_lessons_changed_is_said_in_the_words_of_stats() -> None:
    assert "<p>2 lessons compared: -20 mistakes per 100 matches (95 % range: -40 to +5).</p>" in page(full())


def test_what_stands_between_backticks_is_code() -> None:
    text = page(full("Use `a <b>` and `"))
    assert "Use <code>a &lt;b&gt;</code> and `" in text


def test_the_cost_of_repeats_opens_the_page() -> None:
    first = re.search(r"<dl class=\"cards\">\s*<div><dt>(.*?)</dt><dd.*?>(.*?)</dd>", page(full()))
    assert first and first.groups() == ("lost to repeats", "$1.25")
    assert "Repeats cost about 120.0 k tokens, $1.25, 5 min" in page(full())
    unpriced = replace(full(), cost=Cost(calls=1, tokens=950, calls_without_price=1))
    assert '<dt>tokens lost to repeats</dt><dd class="bad-text">950</dd>' in page(unpriced)
