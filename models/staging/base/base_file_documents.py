from chunk_bakeoff.errors import plain_errors
from chunk_bakeoff.inputs import read_documents


@plain_errors
def model(dbt, session):
    return read_documents(dbt.config.meta_get("documents_path"))
