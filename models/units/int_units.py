from chunk_bakeoff.batches import map_batches
from chunk_bakeoff.errors import plain_errors
from chunk_bakeoff.units import UNIT_SCHEMA, unit_batches


@plain_errors
def model(dbt, session):
    return map_batches(dbt.ref("stg_documents"), unit_batches, UNIT_SCHEMA)
