from chunk_bakeoff.inputs import read_documents


def model(dbt, session):
    return read_documents(dbt.config.meta_get("documents_path"))
