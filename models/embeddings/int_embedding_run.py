from dbt_common.invocation import get_invocation_id

from chunk_bakeoff.embedding.run import embed_pending
from chunk_bakeoff.embedding.store import sibling_tables


def model(dbt, session):
    # Read and filled by name, because every batch is committed outside dbt's own transaction.
    dbt.ref("int_texts")
    dbt.ref("embedding_store")
    dbt.ref("embedding_failures")
    dbt.ref("embedding_batches")
    return embed_pending(
        session,
        sibling_tables(dbt.this),
        dbt.config.meta_get("embedding_models"),
        run_id=get_invocation_id(),
    )
