"""One plot per file: figures in, SVG text out. Colours are classes; the page's style sheet defines them."""
