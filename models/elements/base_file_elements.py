from chunk_bakeoff.element_rows import read_elements
from chunk_bakeoff.errors import plain_errors


@plain_errors
def model(dbt, session):
    return read_elements(dbt.config.meta_get("elements_path"))
