from chunk_bakeoff.element_questions import read_element_questions
from chunk_bakeoff.element_rows import read_elements
from chunk_bakeoff.errors import plain_errors
from chunk_bakeoff.inputs import read_questions


@plain_errors
def model(dbt, session):
    path = dbt.config.meta_get("questions_path")
    elements = dbt.config.meta_get("elements_path")
    if elements:
        return read_element_questions(path, read_elements(elements))
    return read_questions(path)
