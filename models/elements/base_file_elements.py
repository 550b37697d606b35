from chunk_bakeoff.element_rows import read_elements


def model(dbt, session):
    return read_elements(dbt.config.meta_get("elements_path"))
