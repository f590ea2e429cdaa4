"""Builds SVG elements, with everything escaped."""

from markupsafe import Markup, escape

# In drawing units, which are pixels at full size: one drawing for screens and print, one for phones.
WIDE = 720.0
NARROW = 340.0

Value = str | float


def element(name: str, *inside: str, **attributes: Value) -> Markup:
    """`class_` means class, and `_` in a name means `-`; texts are escaped, elements are not."""
    written = (f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"' for key, value in attributes.items())
    opening = f"<{name}{''.join(written)}"
    content = "".join(map(str, map(escape, inside)))
    return Markup(f"{opening}>{content}</{name}>" if inside else f"{opening}/>")


def text(x: float, y: float, words: str, class_: str = "", anchor: str = "start") -> Markup:
    return element("text", words, x=x, y=y, class_=class_, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def box(x: float, y: float, width: float, height: float, class_: str, title: str = "") -> Markup:
    """`title` is the tooltip."""
    inside = [element("title", title)] if title else []
    return element("rect", *inside, x=x, y=y, width=max(0.0, width), height=max(0.0, height), class_=class_)


def picture(width: float, height: float, label: str, *inside: str, **attributes: Value) -> Markup:
    """`label` is the text for screen readers."""
    view = f"0 0 {_text(width)} {_text(height)}"
    return element("svg", *inside, viewBox=view, role="img", aria_label=label, **attributes)


def _text(value: Value) -> str:
    """Formats numbers with one digit: a fraction of a pixel is invisible."""
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
