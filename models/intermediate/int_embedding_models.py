from chunk_bakeoff.embedding.declared import model_table


def model(dbt, session):
    return model_table(dbt.config.meta_get("embedding_models"))
