"""Pure functions behind the chunk_bakeoff dbt project: cutting, counting, resolving, embedding."""

__version__ = "0.1.0"
