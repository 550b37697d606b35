from chunk_bakeoff.chunk import chunker, cut_changed
from chunk_bakeoff.errors import plain_errors
from chunk_bakeoff.strategies import elements


@plain_errors
def model(dbt, session):
    variants = dbt.config.meta_get("variants_override") or dbt.config.meta_get("variants")
    models = dbt.config.meta_get("embedding_models")
    chunk = chunker(elements.cut, variants, models, version="1")
    return cut_changed(dbt, session, dbt.ref("stg_documents"), chunk)
