"""Chunking strategies: each module holds `cut(document, **settings)`, which yields chunks."""
