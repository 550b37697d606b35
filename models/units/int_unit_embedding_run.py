from dbt_common.invocation import get_invocation_id

from chunk_bakeoff.embedding.run import embed_pending
from chunk_bakeoff.embedding.store import named_tables
from chunk_bakeoff.errors import plain_errors


@plain_errors
def model(dbt, session):
    # Read and filled by name, because every batch is committed outside dbt's own transaction.
    tables = named_tables(
        session,
        texts=dbt.ref("int_unit_texts"),
        store=dbt.ref("embedding_store"),
        failures=dbt.ref("embedding_failures"),
        batches=dbt.ref("embedding_batches"),
    )
    models = dbt.config.meta_get("embedding_models")
    return embed_pending(session, tables, models, run_id=get_invocation_id())
