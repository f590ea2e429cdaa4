"""One plot per file: figures in, the text of an SVG out. Colours are classes: the style sheet of the page has them."""
