"""The hard inputs in the real dbt project, with a provider that needs no weights.

Every case is a world of its own: its documents and questions carry its id in their ids, and its
access group, so that no question sees the documents of another case.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from hard_cases import Case, read
from support import TOKENIZER

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.providers.hashing import HashingEncoder
from chunk_bakeoff.embedding.run import embed_pending
from chunk_bakeoff.embedding.store import Tables
from chunk_bakeoff.project import PROJECT_NAME, project_folder, run_dbt

# Refused before it is stored, which is what its case asks for.
REFUSED = {"B08a"}
DIMENSIONS = 64
SCORED_QUESTION = "Which of them is here?"


def model(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "provider": "hashing",
        "source": TOKENIZER,
        "dimensions": DIMENSIONS,
        "max_tokens": 256,
    }


def settings(folder: Path, model_name: str, k_values: list[int]) -> dict[str, Any]:
    sizes = {f"chars_{size}": {"size": size} for size in (8, 10, 14, 26, 50, 100)}
    return {
        "documents_path": str(folder / "documents.jsonl"),
        "questions_path": str(folder / "questions.jsonl"),
        "embedding_models": [model(model_name)],
        "strategies": ["fixed", "fixed_chars", "sections_h2"],
        "strategy_variants": {
            "fixed": {"tokens_64": {"size": 64}},
            "fixed_chars": sizes,
            "sections_h2": {"whole": {"deepest": 6, "declares": ["over_limit"]}},
        },
        "k_values": k_values,
        "baseline_strategy": "chars_10",
    }


# Rankings of chunks that have no text: every chunk becomes a cell of ten characters, so that the
# strategy chars_10 cuts exactly them, and gold is the cell of its chunk.
CELL = 10


def cell(chunk: str) -> str:
    text = f"{chunk} is here".ljust(CELL, ".")
    assert len(text) == CELL
    return text


@dataclass
class World:
    """Documents, questions and given scores of one case, or of a variation of it."""

    name: str
    documents: list[dict[str, Any]] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)
    # strategy, question, document, start of the chunk, score
    scores: list[tuple[str, str, str, int, float]] = field(default_factory=list)

    def add_document(self, doc_id: str, text: str, media_type: str = "text/plain") -> None:
        self.documents.append(
            {
                "doc_id": f"{self.name}.{doc_id}",
                "text": text,
                "media_type": media_type,
                "acl": [self.name],
            }
        )

    def add_question(self, question_id: str, question: str, spans: list[dict[str, str]]) -> None:
        self.questions.append(
            {
                "question_id": f"{self.name}.{question_id}",
                "question": question,
                "groups": [self.name],
                "tags": [self.name, f"{self.name}.{question_id}"],
                "spans": [
                    {"doc_id": f"{self.name}.{span['doc_id']}", "quote": span["text"]}
                    for span in spans
                ],
            }
        )

    def add_score(self, strategy: str, question: str, document: str, start: int, score: float):
        row = (strategy, f"{self.name}.{question}", f"{self.name}.{document}", start, score)
        self.scores.append(row)


def worlds(cases: list[Case], step: int) -> list[World]:
    """What the project is given; documents of cases with steps are those of the step."""
    found = []
    for case in cases:
        if case.id in REFUSED:
            continue
        world = World(case.id)
        steps = [step["documents"] for step in case.input.get("steps", []) if "documents" in step]
        for document in read(steps[step - 1]) if steps else case.documents:
            world.add_document(document.doc_id, document.text, document.media_type)
        for question in case.golden:
            # An empty question is refused: that is another check.
            if question["question"]:
                world.add_question(question["question_id"], question["question"], question["spans"])
        for number, check in enumerate(case.checks):
            add_given_contexts(world, case, number, check)
        found.append(world)
        if "rankings" in case.input:
            add_rankings(world, case, reverse=False)
            found.append(World(f"{case.id}-reversed"))
            add_rankings(found[-1], case, reverse=True)
        if "scores" in case.input.get("rows", {}):
            add_cells(world, [chunk for chunk, _ in case.input["rows"]["scores"]])
            world.add_question("q", SCORED_QUESTION, [])
    return found


def add_cells(world: World, chunks: list[str]) -> dict[str, int]:
    starts = {chunk: CELL * position for position, chunk in enumerate(dict.fromkeys(chunks))}
    world.add_document("cells", "".join(cell(chunk) for chunk in starts))
    return starts


def add_rankings(world: World, case: Case, *, reverse: bool) -> None:
    rankings = case.input["rankings"]
    chunks = [chunk for r in rankings for chunk in r.get("gold_chunks", [])]
    chunks += [chunk for r in rankings for chunk, _ in r["ranked"]]
    starts = add_cells(world, sorted(chunks))
    for ranking in rankings:
        question = ranking["question_id"]
        spans = [
            {"doc_id": "cells", "text": cell(chunk)} for chunk in ranking.get("gold_chunks", [])
        ]
        world.add_question(question, f"Where is {question} of {world.name}?", spans)
        for chunk, score in reversed(ranking["ranked"]) if reverse else ranking["ranked"]:
            world.add_score(f"chars_{CELL}", question, "cells", starts[chunk], score)


def given_contexts(case: Case, check: dict[str, Any]) -> list[tuple[str, int, int]]:
    """The contexts that a check of spans says were retrieved, in order."""
    if check["c"] == "span_recall_docs":
        return [tuple(context) for context in check["retrieved"]]
    if check["c"] == "span_recall":
        return [(case.documents[0].doc_id, *chunk) for chunk in check["chunks"]]
    return []


def add_given_contexts(world: World, case: Case, number: int, check: dict[str, Any]) -> None:
    contexts = given_contexts(case, check)
    if not contexts:
        return
    (question,) = case.golden
    asked = f"{question['question_id']}-{number}"
    world.add_question(asked, f"{question['question']} ({number})", question["spans"])
    for rank, (doc_id, start, _) in enumerate(contexts):
        world.add_score(f"chars_{case.config['size']}", asked, doc_id, start, 1 - rank / 10)


def write(folder: Path, given: list[World]) -> None:
    for name, kind in (("documents", "documents"), ("questions", "questions")):
        lines = [json.dumps(row) for world in given for row in getattr(world, kind)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")


@dataclass(frozen=True)
class Stages:
    """Databases after each stage, all with the name that the compiled SQL knows.

    Attributes:
        first: built from the documents of step 1, with the model m-a.
        given_at_2: then ranked by the scores that the cases give, at k = 1 and 2.
        second: the first after step 2, with the model m-b.
        given: then ranked by the scores that the cases give, at k = 1, 3 and 5.
    """

    first: Path
    given_at_2: Path
    second: Path
    given: Path

    def rows(self, stage: str, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(getattr(self, stage)), read_only=True) as connection:
            return connection.execute(query, parameters).fetchall()


def build(folder: Path, cases: list[Case]) -> Stages:
    """Run the project on all cases at once: dbt for both steps, its SQL for given scores."""
    stages = Stages(*(folder / stage / "cases.duckdb" for stage in Stages.__dataclass_fields__))
    for path in (stages.first, stages.given_at_2, stages.second, stages.given):
        path.parent.mkdir()
    command = ["run", "--select", "+fct_metrics", "+int_span_reading"]

    given = worlds(cases, step=1)
    write(folder, given)
    run_dbt(command, database=stages.first, variables=settings(folder, "m-a", [1, 2]))
    shutil.copy(stages.first, stages.given_at_2)
    give_scores(stages.given_at_2, given, "m-a")
    rebuild(stages.given_at_2, "fct_retrievals", "fct_metrics")

    shutil.copy(stages.first, stages.second)
    given = worlds(cases, step=2)
    write(folder, given)
    run_dbt(command, database=stages.second, variables=settings(folder, "m-b", [1, 3, 5]))
    shutil.copy(stages.second, stages.given)
    embed_scores(stages.given, cases)
    rebuild(stages.given, "int_scores_dense", "int_scores_dense")
    give_scores(stages.given, given, "m-b")
    rebuild(stages.given, "fct_retrievals", "fct_metrics")
    return stages


def rebuild(database: Path, first: str, last: str) -> None:
    """Build the models from `first` to `last` anew by the SQL that dbt has just compiled.

    Starting dbt takes longer than all of them. Python models keep their tables.
    """
    target = project_folder() / "target" / database.stem
    manifest = json.loads((target / "manifest.json").read_text("utf-8"))
    prefix = f"model.{PROJECT_NAME}."
    parents = {
        node["name"]: [p.removeprefix(prefix) for p in node["depends_on"]["nodes"]]
        for node in manifest["nodes"].values()
        if node["unique_id"].startswith(prefix)
    }
    order = list(TopologicalSorter(parents).static_order())
    above = {last}
    for name in reversed(order):
        if name in above:
            above.update(parents.get(name, []))
    chosen = {first}
    for name in order:
        if chosen.intersection(parents.get(name, [])) and name in above:
            chosen.add(name)
    with duckdb.connect(str(database)) as connection:
        for name in (name for name in order if name in chosen):
            node = manifest["nodes"][prefix + name]
            if node["language"] == "sql":
                compiled = target / "compiled" / PROJECT_NAME / node["original_file_path"]
                query = compiled.read_text("utf-8")
                connection.execute(f"create or replace table {name} as {query}")


class ScoringEncoder:
    """Gives texts the vectors that have the given cosine with the vector of a question.

    Args:
        declared: a model of the provider `hashing`, which embeds the question.
        question: its text.
        scores: the cosine by the first letter of a text; None for a text that cannot be encoded.
    """

    def __init__(self, declared: DeclaredModel, question: str, scores: dict[str, Any]) -> None:
        (self._query,) = HashingEncoder(declared).encode([question])
        unused = np.eye(len(self._query))[np.argmin(np.abs(self._query))]
        across = unused - (unused @ self._query) * self._query
        self._across = across / np.linalg.norm(across)
        self._scores = scores

    def encode(self, texts: Sequence[str], text_kind: str = "passage") -> np.ndarray:
        return np.array([self._vector(text) for text in texts], dtype=np.float32)

    def _vector(self, text: str) -> np.ndarray:
        if text == "dimension check":
            return self._query
        score = self._scores[text[0]]
        if score is None:
            raise RuntimeError("no vector")
        return float(score) * self._query + np.sqrt(1 - float(score) ** 2) * self._across


def embed_scores(database: Path, cases: list[Case]) -> None:
    """Embed the cells of B55c anew so that their scores are those the case gives."""
    (scores,) = (dict(case.input["rows"]["scores"]) for case in cases if case.id == "B55c")
    keys = f"""
        select embedding_key from int_chunks
        where strategy = 'chars_{CELL}' and doc_id = 'B55c.cells'
    """
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"delete from embedding_store where embedding_key in ({keys})")
        embed_pending(
            connection,
            Tables("int_texts", "embedding_store", "embedding_failures", "embedding_batches"),
            [model("m-b")],
            run_id="B55c",
            say=print,
            load=lambda declared: ScoringEncoder(declared, SCORED_QUESTION, scores),
        )


def give_scores(database: Path, given: list[World], model_name: str) -> None:
    """Put the scores that the cases give in the place of those that were computed."""
    rows = [score for world in given for score in world.scores]
    with duckdb.connect(str(database)) as connection:
        connection.execute("delete from int_scores_dense where question_id != 'B55c.q'")
        connection.executemany(
            f"""
            insert into int_scores_dense by name
            select
                strategy, 'dense' as retriever, '{model_name}' as embedding_model,
                ? as question_id, chunk_id, ? as score
            from int_chunks
            where strategy = ? and doc_id = ? and char_start = ?
            """,
            [(question, score, s, document, start) for s, question, document, start, score in rows],
        )
        (inserted,) = connection.execute(
            "select count(*) from int_scores_dense where question_id != 'B55c.q'"
        ).fetchone()
    assert inserted == len(rows)
