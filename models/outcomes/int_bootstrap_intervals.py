from chunk_bakeoff.intervals import interval_table


def model(dbt, session):
    return interval_table(dbt.ref("int_question_metrics"), dbt.ref("int_question_slices"))
