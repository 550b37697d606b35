from chunk_bakeoff.batches import map_batches
from chunk_bakeoff.errors import plain_errors
from chunk_bakeoff.golden import RESOLVED_SCHEMA, resolver


@plain_errors
def model(dbt, session):
    resolve = resolver(dbt.ref("stg_documents"))
    return map_batches(dbt.ref("base_golden_spans"), resolve, RESOLVED_SCHEMA)
