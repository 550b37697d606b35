from chunk_bakeoff.batches import map_batches
from chunk_bakeoff.reranking import RERANK_SCHEMA, reranker


def model(dbt, session):
    score = reranker(dbt.config.meta_get("rerankers"))
    pairs = dbt.ref("int_rerank_pairs")
    # The same text in several strategies is scored once; long passages stand together.
    distinct = pairs.select("reranker, pair_key, question, passage").distinct()
    return map_batches(distinct.order("length(passage), pair_key"), score, RERANK_SCHEMA)
