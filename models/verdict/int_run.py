from dbt_common.invocation import get_invocation_id

from chunk_bakeoff.verdict.stamp import run_table


def model(dbt, session):
    return run_table(get_invocation_id())
