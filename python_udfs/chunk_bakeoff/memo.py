"""The verdict as a memo in Markdown: `python -m chunk_bakeoff.memo`.

Two runs on the same data give the same memo, but for the date and the run's id.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import duckdb

from chunk_bakeoff.project import PROJECT_NAME, WAREHOUSE, project_folder
from chunk_bakeoff.sweep import SWEEPS_FOLDER

Row = Mapping[str, Any]
PACKAGES = ("chunk-bakeoff", "dbt-core", "dbt-duckdb", "duckdb", "sentence-transformers", "torch")
# A hypothesis names its questions; a reader opens these, and finds the rest in fct_flips.
NAMED_FLIPS = 10


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the memo of the last build of a database and say where it is."""
    options = _parser().parse_args(arguments)
    database = options.database or project_folder() / WAREHOUSE / f"{PROJECT_NAME}.duckdb"
    if not Path(database).is_file():
        raise SystemExit(
            f"there is no database {database}; run dbt build first, or name another with DATABASE="
        )
    output = options.output or Path(database).with_suffix(".md")
    output.write_text(memo(Path(database)), "utf-8")
    print(f"The memo is in {output}")


def memo(database: Path) -> str:
    """The whole memo as Markdown."""
    with duckdb.connect(str(database), read_only=True) as connection:
        reader = Reader(connection)
        sections = (
            header(reader),
            decisions(reader),
            hypotheses(reader),
            table(reader),
            trade_offs(reader),
            ceilings(reader),
            misses(reader),
            stress(reader),
            sweeps(reader, Path(database).parent / SWEEPS_FOLDER),
            triggers(reader),
            versions(reader),
        )
        return "\n".join(line for section in sections for line in section) + "\n"


class Reader:
    """Rows of the marts as dictionaries, always in a stated order."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def rows(self, query: str) -> list[Row]:
        """All rows of a query."""
        return self._connection.sql(query).to_arrow_table().to_pylist()


def header(reader: Reader) -> Iterator[str]:
    """What was judged, when, and on how much."""
    (run,) = reader.rows("select run_id, run_at from int_run")
    (corpus,) = reader.rows("select * from int_corpus")
    yield "# Which chunking strategy to ship"
    yield ""
    yield f"- Date: {run['run_at']:%Y-%m-%d}"
    yield f"- Run: {run['run_id']}"
    size = f"{corpus['documents']} documents, {corpus['characters']} characters"
    yield f"- Corpus: {size}, hash {corpus['corpus_hash']}"
    yield f"- Question set: hash {corpus['question_set_hash']}"
    for row in reader.rows(
        """
        select
            label_kind, count(*) filter (where standing = 'scored') as scored, count(*) as given,
            count(*) filter (where standing = 'unanswerable') as unanswerable
        from int_question_labels group by label_kind order by label_kind
        """
    ):
        scored = f"- By {row['label_kind']}: {row['scored']} of {row['given']} questions are scored"
        without = f", {row['unanswerable']} have no answer" if row["unanswerable"] else ""
        yield scored + without
    yield ""


def decisions(reader: Reader) -> Iterator[str]:
    """The recommendation of every ranking, its warnings, and why the others were not taken."""
    ranking = "label_kind, retriever, embedding_model, delivery"
    roles = ("recommended", "alternative", "eligible", "rejected")
    for key in reader.rows(f"select distinct {ranking} from rpt_decision order by all"):
        where = " and ".join(f"{column} = '{_quoted(value)}'" for column, value in key.items())
        rows = reader.rows(
            f"select * from rpt_decision where {where} order by round(loss, 9), strategy"
        )
        recommended = next(row for row in rows if row["role"] == "recommended")
        yield f"## Decision by {key['label_kind']}, {_ranking(key)}"
        yield ""
        yield f"**{recommended['sentence']}**"
        yield ""
        basis = f"{recommended['questions']} questions ({recommended['chosen_on']})"
        yield f"Rule: {recommended['rule']}. Chosen on {basis}."
        if recommended["holdout_questions"] is not None:
            holds = "holds" if recommended["holdout_is_eligible"] else "does not hold"
            yield (
                f"On holdout ({recommended['holdout_questions']} questions) the choice {holds}: "
                f"recall {_cell(recommended['holdout_value'])}, "
                f"{_cell(recommended['holdout_loss'])} below the best there."
            )
        yield ""
        for warning in reader.rows(
            f"select sentence from rpt_decision_warnings where {where} order by warning, sentence"
        ):
            yield f"- Warning: {warning['sentence']}"
        for role in roles[1:]:
            for row in rows:
                if row["role"] == role:
                    yield f"- {role.capitalize()}: {row['sentence']}"
        yield ""


def hypotheses(reader: Reader) -> Iterator[str]:
    """What was expected before the run, and what the data say."""
    yield "## Hypotheses"
    yield ""
    rows = reader.rows(
        """
        select * from rpt_hypotheses
        order by hypothesis, label_kind, retriever, embedding_model, delivery
        """
    )
    if not rows:
        yield "None was written down before the run: name a table in `hypotheses_relation`."
        yield ""
        return
    yield (
        "Written before the run. A hypothesis is undecided while the p-value of the sign test "
        "is not below the level."
    )
    yield ""
    for row in rows:
        pair = f"{row['strategy_a']} against {row['strategy_b']}"
        yield f"- {row['hypothesis']} ({pair}, {row['metric']}, expected: {row['expected']})"
        if row["verdict"] == "not run":
            yield (
                "  - not run: this run has not both strategies under the same ranking, or does not "
                "compare this metric"
            )
            continue
        yield (
            f"  - **{row['verdict']}** by {row['label_kind']}, {_ranking(row)}: "
            f"+{row['a_only']} \u2212{row['b_only']}, p {_p_value(row['p_value'])}"
        )
        for sign, better, worse in (
            ("+", row["strategy_a"], row["strategy_b"]),
            ("\u2212", row["strategy_b"], row["strategy_a"]),
        ):
            names = _flips(reader, row, better, worse)
            if names:
                yield f"  - {sign} {', '.join(names[:NAMED_FLIPS])}{_more(names)}"
    yield ""


def _flips(reader: Reader, row: Row, better: str, worse: str) -> list[str]:
    at = row["metric"].removeprefix("recall_at_")
    cutoff = (
        "f.token_budget = (select token_budget from int_cutoffs where is_primary)"
        if at == "budget"
        else f"f.k = {int(at)}"
    )
    found = reader.rows(
        f"""
        select f.question_id
        from fct_flips as f
        inner join int_configurations as a on f.config_found = a.config_id
        inner join int_configurations as b on f.config_missed = b.config_id
        where
            a.strategy = '{_quoted(better)}' and b.strategy = '{_quoted(worse)}' and {cutoff}
            and f.label_kind = '{row["label_kind"]}' and a.retriever = '{_quoted(row["retriever"])}'
            and a.embedding_model = '{_quoted(row["embedding_model"])}'
            and a.delivery = '{_quoted(row["delivery"])}'
            and b.retriever = a.retriever and b.embedding_model = a.embedding_model
            and b.delivery = a.delivery
        order by f.question_id
        """
    )
    return [flip["question_id"] for flip in found]


def _more(names: Sequence[str]) -> str:
    left = len(names) - NAMED_FLIPS
    return f" and {left} more in fct_flips" if left > 0 else ""


def table(reader: Reader) -> Iterator[str]:
    """The leaderboard."""
    yield "## Quality"
    yield ""
    rows = reader.rows(
        """
        select
            b.strategy, b.label_kind as label, b.retriever, b.embedding_model as model,
            b.recall_at_1, b.recall_at_5, b.mrr, b.recall_at_budget,
            b.context_tokens_at_5, b.repeated_share_at_5, b.over_limit_chunks, b.n_scored,
            b.count_unit as counted_in
        from rpt_strategy_leaderboard as b
        order by b.label_kind desc, round(b.recall_at_budget, 9) desc, b.config_id
        """
    )
    yield from _table(rows)


def trade_offs(reader: Reader) -> Iterator[str]:
    """Costs beside quality."""
    yield "## Trade-offs"
    yield ""
    (counted,) = reader.rows("select any_value(count_unit) as unit from int_configurations")
    yield (
        f"On the token front no other row finds as much for fewer {counted['unit']} in the prompt; "
        "on the size front, for a smaller index. Shares to embed again are those of edited "
        "documents, from replayed edits (`make replay`)."
    )
    yield ""
    rows = reader.rows(
        """
        select
            strategy, label_kind as label, retriever, embedding_model as model, recall_at_budget,
            context_tokens_at_budget, chunks, texts_to_embed, tokens_to_embed, vector_bytes,
            price_per_1000_questions,
            reembedded_after_insert_section as insert_section,
            reembedded_after_change_word as change_word,
            reembedded_after_delete_paragraph as delete_paragraph,
            reembedded_after_rename_heading as rename_heading,
            is_on_token_front as token_front, is_on_size_front as size_front
        from rpt_strategy_costs
        order by label_kind desc, round(recall_at_budget, 9) desc, config_id
        """
    )
    yield from _table(rows)


def ceilings(reader: Reader) -> Iterator[str]:
    """What the cut lost, and what the ranking lost."""
    yield "## Ceiling"
    yield ""
    yield (
        "The ceiling is the share of questions whose evidence the best k contexts of the strategy "
        "could deliver, were the ranking perfect."
    )
    yield ""
    rows = reader.rows(
        """
        select
            strategy, retriever, embedding_model as model, k, whole_share, ceiling,
            complete_evidence, lost_by_chunking, lost_by_ranking
        from rpt_ceiling
        where k in (1, 5)
        order by k, round(complete_evidence, 9) desc, config_id
        """
    )
    yield from _table(rows)


def misses(reader: Reader) -> Iterator[str]:
    """Why the recommended strategies missed, and what may help."""
    yield "## Why the recommended strategies missed"
    yield ""
    rows = reader.rows(
        """
        select
            m.strategy, m.retriever, m.embedding_model as model, m.cause, count(*) as questions,
            m.remedy, m.side_effect
        from fct_misses as m
        inner join int_cutoffs as c on m.token_budget = c.token_budget and c.is_primary
        inner join (select distinct config_id from rpt_decision where role = 'recommended') as d
            on m.config_id = d.config_id
        group by all
        order by m.strategy, m.retriever, m.embedding_model, questions desc, m.cause
        """
    )
    yield from _table(rows)


def stress(reader: Reader) -> Iterator[str]:
    """How the ranking of strategies holds when the budget, the depth or the slice changes."""
    yield "## Stress"
    yield ""
    yield "Best strategy under every budget and k:"
    yield ""
    yield from _table(
        reader.rows(
            """
            select
                b.label_kind as label, b.retriever, b.embedding_model as model, c.metric, c.k,
                c.token_budget, f.strategy as best, b.value
            from int_best_configs as b
            inner join int_cutoffs as c on b.cutoff_number = c.cutoff_number
            inner join int_configurations as f on b.config_id = f.config_id
            where b.slice_kind = 'all'
            order by all
            """
        )
    )
    yield "The recommended strategy in its weakest slices that are large enough to read:"
    yield ""
    yield from _table(
        reader.rows(
            """
            select
                s.label_kind as label, s.strategy, s.retriever, s.slice_kind, s.slice_value,
                s.value as recall, s.n_scored
            from rpt_slices as s
            inner join int_cutoffs as c on s.token_budget = c.token_budget and c.is_primary
            inner join rpt_decision as d
                on s.config_id = d.config_id and s.label_kind = d.label_kind
                and d.role = 'recommended'
            where s.metric = 'recall_at_budget' and not s.is_too_small and s.slice_kind <> 'all'
            qualify row_number() over (
                partition by s.config_id, s.label_kind
                order by round(s.value, 9), s.slice_kind, s.slice_value
            ) <= 5
            order by s.label_kind, s.config_id, round(s.value, 9), s.slice_kind, s.slice_value
            """
        )
    )


def sweeps(reader: Reader, folder: Path) -> Iterator[str]:
    """What was found when one setting was changed at a time, of the same corpus and questions.

    Args:
        reader: of the build that the memo is about; it may be a sweep itself.
        folder: with the databases of `make sweep`.
    """
    yield "One setting at a time; of equal quality the least duplication is chosen:"
    yield ""
    tables = list(_sweep_tables(reader, folder))
    yield from tables or (
        "No sweep of this corpus and these questions is built (`make sweep`).",
        "",
    )


def _sweep_tables(reader: Reader, folder: Path) -> Iterator[str]:
    yield from _sweep_table(reader)
    corpus = "select corpus_hash, question_set_hash from int_corpus"
    for database in sorted(folder.glob("*.duckdb")):
        with duckdb.connect(str(database), read_only=True) as connection:
            sweep = Reader(connection)
            # A sweep that was killed may lack both.
            built = {row["name"] for row in sweep.rows("show tables")} >= {
                "int_corpus",
                "rpt_sweep",
            }
            if built and sweep.rows(corpus) == reader.rows(corpus):
                yield from _sweep_table(sweep)


def _sweep_table(reader: Reader) -> Iterator[str]:
    rows = reader.rows(
        """
        select
            sweep, series, setting, strategy, label_kind as label, chunks, embed_tokens,
            recall_at_5, recall_at_budget, context_tokens_at_5, repeated_share_at_5,
            gained, lost, p_value, is_equal, is_chosen
        from rpt_sweep
        order by series, label_kind, position, config_id
        """
    )
    if rows:
        yield from _table(
            [{**row, "p_value": _p_value(row["p_value"]).removeprefix("= ")} for row in rows]
        )


def triggers(reader: Reader) -> Iterator[str]:
    """When to run this again."""
    yield "## When to compare again"
    yield ""
    for sentence in (
        "more of the text changes than `max_drift` allows, or documents of a new type arrive",
        "an embedding model or its revision changes",
        "new questions are added",
        "a question that what is shipped found is no longer found",
    ):
        yield f"- {sentence}"
    fired = reader.rows(
        "select * from rpt_reevaluation_triggers where is_triggered order by trigger"
    )
    for row in fired:
        measure = f"{row['measure']:.3f} {row['meaning']}"
        names = row["names"] or "over the threshold"
        yield f"- **Fired now**: {row['trigger']}, {measure} ({names})"
    yield ""


def versions(reader: Reader) -> Iterator[str]:
    """What the numbers were made with."""
    yield "## Versions"
    yield ""
    (run,) = reader.rows("select git_revision from int_run")
    yield f"- revision of the project: {run['git_revision']}"
    for name in PACKAGES:
        try:
            yield f"- {name} {version(name)}"
        except PackageNotFoundError:
            continue
    for row in reader.rows(
        "select embedding_model, model_revision from int_embedding_models order by embedding_model"
    ):
        yield f"- {row['embedding_model']}, revision {row['model_revision']}"


def _table(rows: Sequence[Row]) -> Iterator[str]:
    """A Markdown table, columns without any value left out."""
    if not rows:
        yield "Nothing to show."
        yield ""
        return
    names = [name for name in rows[0] if any(row[name] is not None for row in rows)]
    yield "| " + " | ".join(names) + " |"
    yield "|" + "---|" * len(names)
    for row in rows:
        yield "| " + " | ".join(_cell(row[name]) for name in names) + " |"
    yield ""


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        # Means of the same values may differ in their last bit, which could decide a tie.
        value = round(value, 9)
        return f"{value:.3f}" if abs(value) < 10 else f"{value:.0f}"
    return str(value).replace("|", "\\|").replace("\n", " ")


def _p_value(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"= {value:.4f}"


def _ranking(row: Row) -> str:
    return f"{row['retriever']} ranking, {row['embedding_model']}, {row['delivery']} delivery"


def _quoted(value: str) -> str:
    return value.replace("'", "''")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m chunk_bakeoff.memo", description=__doc__)
    parser.add_argument("--database", type=Path, help="of the build; by default the bundled corpus")
    parser.add_argument("--output", type=Path, help="by default beside the database")
    return parser


if __name__ == "__main__":
    main()
