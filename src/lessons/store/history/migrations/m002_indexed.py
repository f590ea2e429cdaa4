"""How far the full-text index reaches: rows that came later are put into it many at once."""

SQL = """
-- One row: the highest ids whose texts are in `words`.
CREATE TABLE indexed (calls INTEGER NOT NULL, prompts INTEGER NOT NULL);
INSERT INTO indexed (calls, prompts)
SELECT (SELECT coalesce(max(id), 0) FROM calls), (SELECT coalesce(max(id), 0) FROM prompts);
"""
