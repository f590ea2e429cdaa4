"""The report: what lessons did and what is left to do, as one typed document and as one page.

compose.py builds the document (printed by `--json`) from the history, the ledger, the lessons and a replay. plots.py
has one pure function per plot: figures in, SVG out, with classes instead of colours. page.py puts them into
`templates/report.html`. The document depends on the data home only, so two runs give the same bytes. A
replay of more than 200,000 calls needs `--full`.

The page is one file without scripts, fonts or requests. Jinja2 escapes every value, and a content security policy
allows only the style sheet, by its hash.
"""
