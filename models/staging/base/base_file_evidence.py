from chunk_bakeoff.inputs import read_questions


def model(dbt, session):
    return read_questions(dbt.config.meta_get("questions_path"))
