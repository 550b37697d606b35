"""A dbt project whose nodes do nothing: what dbt itself takes for that many of them."""

from pathlib import Path

PROJECT = """\
name: bare
config-version: 2
profile: chunk_bakeoff
models:
  bare:
    +materialized: table
"""
UNIT_TEST = """\
  - name: unit_{number}
    model: model_{number}
    given:
      - input: ref('root')
        rows: [{{id: 1}}]
    expect:
      rows: [{{id: 1}}]
"""


def write_bare_project(folder: Path, *, models: int, data_tests: int, unit_tests: int) -> None:
    """Write a project of models that select one row, each with its tests where there are any.

    Args:
        folder: an empty or missing folder.
        models: tables, one of which all others select from.
        data_tests: tests without findings, spread over the models.
        unit_tests: unit tests of one row; fewer than models.
    """
    for name in ("models", "tests"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "dbt_project.yml").write_text(PROJECT, "utf-8")
    (folder / "models" / "root.sql").write_text("select 1 as id\n", "utf-8")
    for number in range(models - 1):
        sql = "select id from {{ ref('root') }}\n"
        (folder / "models" / f"model_{number}.sql").write_text(sql, "utf-8")
    for number in range(data_tests):
        sql = f"select id from {{{{ ref('model_{number % (models - 1)}') }}}} where id != 1\n"
        (folder / "tests" / f"test_{number}.sql").write_text(sql, "utf-8")
    if unit_tests:
        entries = "".join(UNIT_TEST.format(number=number) for number in range(unit_tests))
        (folder / "models" / "_models.yml").write_text(f"unit_tests:\n{entries}", "utf-8")
