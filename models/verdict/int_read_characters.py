from chunk_bakeoff.verdict.unread import read_table


def model(dbt, session):
    return read_table(dbt.ref("int_long_texts"), dbt.config.meta_get("embedding_models"))
