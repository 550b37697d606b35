from chunk_bakeoff.embedding.declared import model_table
from chunk_bakeoff.errors import plain_errors


@plain_errors
def model(dbt, session):
    return model_table(dbt.config.meta_get("embedding_models"))
