"""The report: what lessons did and what is left to do, as one typed document and as one page."""
