from chunk_bakeoff.batches import map_batches
from chunk_bakeoff.units import UNIT_SCHEMA, unit_batches


def model(dbt, session):
    return map_batches(dbt.ref("stg_documents"), unit_batches, UNIT_SCHEMA)
