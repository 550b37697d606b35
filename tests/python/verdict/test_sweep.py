from __future__ import annotations

import duckdb
import pytest

from chunk_bakeoff.project import project_folder
from chunk_bakeoff.sweep import SWEEPS, start_with_vectors, sweep_variables


@pytest.mark.parametrize("name", SWEEPS)
def test_a_sweep_changes_one_setting_of_one_strategy(name):
    variables = sweep_variables(name)
    (model,) = variables["strategies"]
    assert (project_folder() / "models" / "strategies" / f"{model}.py").is_file()
    variants = variables["strategy_variants"][model]
    points = variables["sweep"]["points"]
    assert list(points) == list(variants)
    assert variables["baseline_strategy"] == next(iter(variants))
    settings = {setting for variant in variants.values() for setting in variant}
    changing = [s for s in settings if len({str(v.get(s)) for v in variants.values()}) > 1]
    assert len(changing) == 1
    assert [variant[changing[0]] for variant in variants.values()] == list(points.values())


def test_a_new_sweep_takes_over_the_vectors_that_there_are(tmp_path):
    built, sweep = tmp_path / "built.duckdb", tmp_path / "sweeps" / "sizes.duckdb"
    start_with_vectors(sweep, built)
    assert not sweep.exists()
    # A build that failed early.
    duckdb.connect(str(built)).close()
    start_with_vectors(sweep, built)
    assert not sweep.exists()
    with duckdb.connect(str(built)) as connection:
        connection.execute("create table embedding_store as select 'k' as embedding_key")
    start_with_vectors(sweep, built)
    with duckdb.connect(str(sweep)) as connection:
        assert connection.sql("from embedding_store").fetchall() == [("k",)]
        connection.execute("delete from embedding_store")
    # What a sweep has embedded itself is not replaced.
    start_with_vectors(sweep, built)
    with duckdb.connect(str(sweep)) as connection:
        assert connection.sql("from embedding_store").fetchall() == []
