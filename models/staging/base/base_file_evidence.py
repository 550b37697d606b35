from chunk_bakeoff.errors import plain_errors
from chunk_bakeoff.inputs import read_questions


@plain_errors
def model(dbt, session):
    return read_questions(dbt.config.meta_get("questions_path"))
