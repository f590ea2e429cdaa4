"""Compiles lessons into the manifest and the hook index.

A build splits `lessons.json` into the texts of its records (store/lesson_text.py). The file `compiled-lessons` maps the
digest of each text to what the last build made of it, and how long that is in the manifest and the index. A build
compiles new records and copies the rest in runs, without decoding them (merge.py). Lessons keep their numbers in the
index from build to build. The manifest has the same bytes as after a full build. `compiled-lessons` is valid for one
manifest and one index, by their checksums, and for one version of the code. If anything differs, the build is full.

A new lesson is compared only with lessons that share a pattern and enough words (promote/intake/rivals.py).
"""
