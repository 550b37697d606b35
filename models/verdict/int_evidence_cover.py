from chunk_bakeoff.verdict.cover import cover_table


def model(dbt, session):
    contexts = dbt.ref("int_chunks").select("strategy, doc_id, context_start, context_end")
    spans = dbt.ref("int_scored_spans")
    return cover_table(contexts, spans)
