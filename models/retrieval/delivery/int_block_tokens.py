from chunk_bakeoff.batches import map_batches
from chunk_bakeoff.embedding.counting import COUNT_SCHEMA, token_counter


def model(dbt, session):
    count = token_counter(dbt.config.meta_get("embedding_models"))
    return map_batches(dbt.ref("int_block_texts"), count, COUNT_SCHEMA)
