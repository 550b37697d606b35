from chunk_bakeoff.verdict.graded import graded_table


def model(dbt, session):
    graded = "'mrr', 'precision', 'iou', 'context_tokens', 'context_tokens_at_budget', 'recall'"
    metrics = dbt.ref("int_question_metrics").filter(f"metric in ({graded})")
    return graded_table(metrics, dbt.ref("int_graded_pairs"))
