"""Local backends of one model side by side: other vectors, and questions lost or gained by them."""

import shutil
from pathlib import Path

import duckdb
from encoding import MODEL, installed_backends
from measuring import Corpus, Workspace, print_table

LAB_HANDBOOK = {
    "strategies": ["fixed_chars", "recursive_chars", "sections_h2", "parent_child_chars"],
    "baseline_strategy": "fixed_400",
}
VECTORS = """
    select
        models.embedding_model,
        max(1 - list_inner_product(other.embedding, base.embedding)),
        avg(1 - list_inner_product(other.embedding, base.embedding)),
        count(*)
    from int_embedding_models as models
    inner join embeddings as other on models.embedding_model = other.embedding_model
    inner join embeddings as base
        on other.text_kind = base.text_kind and other.embedding_key = base.embedding_key
    where base.embedding_model = ? and not models.is_default
    group by models.embedding_model order by models.embedding_model
"""
QUESTIONS = """
    with found as (
        select
            strategy, embedding_model, label_kind, question_id,
            bool_and(coalesce(found_at_rank <= 5, false)) as is_found
        from fct_span_outcomes
        group by strategy, embedding_model, label_kind, question_id
    )
    select
        other.embedding_model, other.strategy, other.label_kind,
        count(*) filter (base.is_found), count(*) filter (other.is_found),
        count(*) filter (base.is_found and not other.is_found),
        count(*) filter (other.is_found and not base.is_found)
    from found as base
    inner join found as other using (strategy, label_kind, question_id)
    where base.embedding_model = ? and other.embedding_model like 'onnx%'
    group by other.embedding_model, other.strategy, other.label_kind
    order by all
"""


def measure(workspace: Workspace) -> None:
    """Print what other backends change on the corpus, and on the lab handbook where it lies."""
    models = [
        {**MODEL, **settings, "name": name} if settings else MODEL
        for name, settings in installed_backends().items()
    ]
    # Its vectors need not be made again.
    shutil.copy(workspace.database(workspace.built), workspace.database("backends_0"))
    for number, corpus in enumerate(_corpora(workspace)):
        name = f"backends_{number}"
        settings = {**corpus.settings, "embedding_models": models, "k_values": [1, 3, 5, 10]}
        workspace.run_dbt(
            *("run", "--select", "+fct_span_outcomes"),
            database=workspace.database(name),
            settings=settings,
            target=name,
        )
        print(f"{corpus.name}: cosine distance from sentence_transformers")
        with duckdb.connect(str(workspace.database(name)), read_only=True) as connection:
            vectors = connection.execute(VECTORS, [MODEL["name"]]).fetchall()
            questions = connection.execute(QUESTIONS, [MODEL["name"]]).fetchall()
        print_table(
            ("backend", "largest", "mean", "texts"),
            [(model, f"{most:.1e}", f"{mean:.1e}", texts) for model, most, mean, texts in vectors],
        )
        header = ("backend", "strategy", "label", "found at k = 5", "by it", "lost", "gained")
        print_table(header, questions)


def _corpora(workspace: Workspace) -> list[Corpus]:
    """The corpus of all benchmarks, and the handbook that lies beside the Cargo pages."""
    pages = Path(workspace.corpus.documents_path).parent
    handbook = pages.parent / "lab_handbook"
    if workspace.quick or not handbook.is_dir():
        return [workspace.corpus]
    settings = {"questions_path": str(handbook / "questions.jsonl"), **LAB_HANDBOOK}
    return [workspace.corpus, Corpus("the lab handbook", str(handbook / "*.md"), settings)]
