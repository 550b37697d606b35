"""The hard inputs, every check of every case whose subject exists.

The file lies outside the project (see `hard_cases.PATH`). Where it is missing the tests say so.
"""

import re
import shutil
import time
from contextlib import suppress
from itertools import pairwise

import duckdb
import numpy as np
import pytest
import yaml
from case_project import CELL, REFUSED, build, given_contexts
from case_subjects import MODELS, rows, subjects
from hard_cases import METRICS_NOT_YET, PATH, NotYet, load
from random_texts import is_white
from support import REPO, TOKENIZER

from chunk_bakeoff.chunk import chunker
from chunk_bakeoff.documents import BYTE_ORDER_MARK, canonical_text
from chunk_bakeoff.embedding.batching import PendingText
from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.providers import load_encoder
from chunk_bakeoff.embedding.run import encode_batch
from chunk_bakeoff.embedding.vectors import check_dimensions
from chunk_bakeoff.golden import RESOLVED_SCHEMA, resolver
from chunk_bakeoff.inputs import read_documents, read_questions
from chunk_bakeoff.markdown import headings
from chunk_bakeoff.project import run_dbt
from chunk_bakeoff.spans import resolve
from chunk_bakeoff.strategies import fixed

CASES = load()
# Checks that need no run of dbt and no weights.
QUICK = {
    "slice_exact", "coverage", "starts_strictly_increase", "chunks", "no_contained_chunk",
    "no_empty_chunk", "concat_equals_doc", "substring_of_doc", "min_chunks", "n_chunks",
    "max_tokens", "min_full_chunk_tokens", "shared_tokens", "heading_paths", "headings",
    "token_count", "terminates", "error", "rows_intact", "never_split_inside",
}  # fmt: skip
CHECKS = [
    pytest.param(
        case,
        number,
        id=f"{case.id}-{case.kind}-{check['c']}-{number}",
        marks=() if check["c"] in QUICK else pytest.mark.slow,
    )
    for case in CASES
    for number, check in enumerate(case.checks)
]


@pytest.fixture(scope="module")
def stages(tmp_path_factory):
    """The dbt project, run on all cases."""
    return build(tmp_path_factory.mktemp("cases"), CASES)


@pytest.fixture(scope="module")
def seeded(tmp_path_factory):
    """Folder of a database in which `dbt seed` has loaded the CSV files of all cases.

    The seeds get the configuration that the project gives to its own.
    """
    folder = tmp_path_factory.mktemp("seeds")
    (folder / "seeds").mkdir()
    shutil.copy(REPO / "profiles.yml", folder)
    (folder / "dbt_project.yml").write_text(
        "name: chunk_bakeoff\nconfig-version: 2\nprofile: chunk_bakeoff\n", "utf-8"
    )
    own = yaml.safe_load((REPO / "seeds" / "_seeds.yml").read_text("utf-8"))["seeds"]
    types = {seed["name"]: seed["config"]["column_types"] for seed in own}
    kinds = {"docs": types["raw_documents"], "gold": types["raw_golden_spans"]}
    seeds = []
    for case in CASES:
        for file in case.input.get("files", []):
            stem = re.fullmatch(r"seeds/(\w+)\.csv", file["path"])
            if stem:
                name = f"{case.id}_{stem[1]}"
                (folder / "seeds" / f"{name}.csv").write_bytes(file["content"].encode())
                columns = file["content"].partition("\n")[0].split(",")
                column_types = {c: t for c, t in kinds[stem[1]].items() if c in columns}
                seeds.append({"name": name, "config": {"column_types": column_types}})
    (folder / "seeds" / "_seeds.yml").write_text(yaml.safe_dump({"seeds": seeds}), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run_dbt(["seed"], database=folder / "seeds.duckdb")
    return folder / "seeds.duckdb"


def test_the_cases_were_run():
    if not CASES:
        pytest.skip(
            f"the hard inputs were NOT run: there is no file {PATH} (name it in the environment "
            "variable CHUNK_BAKEOFF_CASES)"
        )
    assert {check["c"] for case in CASES for check in case.checks} <= set(KINDS)


@pytest.mark.parametrize(("case", "number"), CHECKS)
def test_case(case, number, request):
    check = case.checks[number]
    try:
        policy = POLICIES.get(case.id)
        if policy is None or not policy(case, check, request):
            KINDS[check["c"]](case, check, request)
    except NotYet as reason:
        pytest.skip(str(reason))


@pytest.mark.slow
@pytest.mark.skipif(not CASES, reason="the hard inputs were not run")
def test_no_metric_is_excused_that_exists(stages):
    names = [name for (name,) in stages.rows("given", "select distinct metric from fct_metrics")]
    assert "recall" in names
    assert {name for name in names for missing in METRICS_NOT_YET if missing in name} == set()


# ---------------------------------------------------------------------------------------------
# Where the design of this project differs from what a case proposes


def byte_order_mark(case, check, request):
    """A leading mark is dropped from the canonical text, so offsets begin behind it."""
    if check["c"] != "headings":
        return False
    (document,) = case.documents
    assert document.text.startswith(BYTE_ORDER_MARK)
    found = [(h.level, h.title, h.start) for h in headings(canonical_text(document.text))]
    assert found == [(level, title, start - 1) for level, title, start in check["value"]]
    return True


def refused_nul(case, check, request):
    """A NUL is refused with the name of the document: nothing is shortened in silence."""
    folder = request.getfixturevalue("tmp_path")
    (document,) = case.documents
    (folder / f"{document.doc_id}.txt").write_text(document.text, "utf-8")
    with pytest.raises(ValueError, match=f"doc_id '{document.doc_id}'.*: NUL at position 4"):
        read_documents(str(folder / "*.txt"))
    return True


def special_tokens_count_separately(case, check, request):
    """Sizes are content tokens here: 256 would be 258 for the model, which is refused.

    The largest size that fits must keep what the case asks for.
    """
    (document,) = case.documents
    settings = {"size": case.config["size"], "overlap": case.config["overlap"]}
    with pytest.raises(ValueError, match="at most 254 tokens besides the special ones"):
        chunker(fixed.cut, {"v": settings}, MODELS, version="1")
    chunks = rows("fixed", fixed.cut, {**settings, "size": 254}, document)
    KINDS[check["c"]](case, check, request, {"fixed": [(document, chunks)]})
    return True


POLICIES = {
    "B07a": byte_order_mark,
    "B08a": refused_nul,
    "B19a": special_tokens_count_separately,
}
assert set(POLICIES) >= REFUSED


# ---------------------------------------------------------------------------------------------
# Checks of chunks


def cut_by_all(case):
    """Chunks of every subject: `{subject: [(document, rows)]}`."""
    return {
        name: [(document, rows(name, cut, settings, document)) for document in case.documents]
        for name, (cut, settings) in subjects(case.config).items()
    }


def of_documents(check_document):
    """A check of the chunks of one document, run for every subject and document."""

    def run(case, check, request, given=None):
        for documents in (given or cut_by_all(case)).values():
            for document, chunks in documents:
                if check.get("doc_id", document.doc_id) == document.doc_id:
                    check_document(check, canonical_text(document.text), chunks, request)

    return run


def spans_of(chunks):
    return [(chunk["char_start"], chunk["char_end"]) for chunk in chunks]


@of_documents
def slice_exact(check, text, chunks, request):
    assert chunks
    for chunk in chunks:
        assert 0 <= chunk["char_start"] < chunk["char_end"] <= len(text)
        assert chunk["body"] == text[chunk["char_start"] : chunk["char_end"]]


@of_documents
def coverage(check, text, chunks, request):
    covered = {i for start, end in spans_of(chunks) for i in range(start, end)}
    missing = [text[i] for i in range(len(text)) if i not in covered]
    assert check["ignore"] in ("whitespace", "none")
    if check["ignore"] == "whitespace":
        missing = [character for character in missing if not is_white(character)]
    assert missing == []


@of_documents
def starts_strictly_increase(check, text, chunks, request):
    assert all(a < b for (a, _), (b, _) in pairwise(spans_of(chunks)))


@of_documents
def exact_chunks(check, text, chunks, request):
    assert spans_of(chunks) == [tuple(span) for span in check["value"]]


@of_documents
def no_contained_chunk(check, text, chunks, request):
    spans = spans_of(chunks)
    assert not any(a is not b and a[0] >= b[0] and a[1] <= b[1] for a in spans for b in spans)


@of_documents
def no_empty_chunk(check, text, chunks, request):
    assert chunks
    assert all(chunk["body"] for chunk in chunks)


@of_documents
def concat_equals_doc(check, text, chunks, request):
    assert "".join(chunk["body"] for chunk in chunks) == text


@of_documents
def substring_of_doc(check, text, chunks, request):
    assert all(chunk["body"] in text for chunk in chunks)


@of_documents
def min_chunks(check, text, chunks, request):
    assert len(chunks) >= check["n"]


@of_documents
def n_chunks(check, text, chunks, request):
    assert len(chunks) == check["value"]


@of_documents
def max_tokens(check, text, chunks, request):
    assert check["includes_special"]
    embedded = [c["embed_text"] or c["embed_prefix"] + c["body"] for c in chunks]
    counts = request.getfixturevalue("tokenizer").count(embedded)
    assert max(count.tokens for count in counts) <= check["n"]


@of_documents
def min_full_chunk_tokens(check, text, chunks, request):
    counts = request.getfixturevalue("tokenizer").count([chunk["body"] for chunk in chunks[:-1]])
    assert counts
    # Without the two special tokens.
    assert min(count.tokens - 2 for count in counts) >= check["n"]


@of_documents
def shared_tokens(check, text, chunks, request):
    offsets = request.getfixturevalue("tokenizer").offsets(text)
    held = [
        {i for i, (a, b) in enumerate(offsets) if start <= a and b <= end}
        for start, end in spans_of(chunks)
    ]
    shared = [len(a & b) for a, b in pairwise(held)]
    assert shared
    assert all(n == check["n"] for n in shared[:-1]) and shared[-1] <= check["n"]


def table_rows(text):
    """The data rows of a document that is one table, without the line break."""
    lines = list(re.finditer(r"^\|.*\|[ \t]*$", text, re.MULTILINE))
    assert re.fullmatch(r"[|\s:-]+", lines[1][0])
    return [match.span() for match in lines[2:]]


@of_documents
def rows_intact(check, text, chunks, request):
    held = spans_of(chunks)
    assert table_rows(text)
    for start, end in table_rows(text):
        assert any(a <= start and end <= b for a, b in held)


@of_documents
def never_split_inside(check, text, chunks, request):
    edges = {edge for span in spans_of(chunks) for edge in span}
    occurrences = list(re.finditer(re.escape(check["token"]), text))
    assert len(occurrences) > 1 and len(chunks) > 2
    for match in occurrences:
        assert not edges & set(range(match.start() + 1, match.end()))


@of_documents
def heading_paths(check, text, chunks, request):
    # Sections of a heading alone are chunks too; those with a body are asked for.
    with_body = [chunk for chunk in chunks if "\n" in chunk["body"]]
    expected = [" > ".join(path) for path in check["value"]]
    assert [chunk["heading_path"] for chunk in with_body] == expected
    assert len(set(spans_of(with_body))) == len(expected)


def headings_of(case, check, request):
    (document,) = case.documents
    found = [[h.level, h.title, h.start] for h in headings(canonical_text(document.text))]
    assert found == check["value"]


def token_count(case, check, request):
    assert check["includes_special"]
    (document,) = case.documents
    tokenizer = request.getfixturevalue("tokenizer")
    assert tokenizer.count([document.text])[0].tokens == check["value"]
    assert tokenizer.count_one(document.text) == check["value"]


def terminates(case, check, request):
    began = time.monotonic()
    # Refusing is an end as well; whether it is right is another check.
    with suppress(ValueError):
        cut_by_all(case)
    assert time.monotonic() - began < check["seconds"]


# ---------------------------------------------------------------------------------------------
# Checks of golden spans


def gold(case, check, request):
    if "files" in case.input:
        seeded_gold(case, check, request)
        return
    texts = {d.doc_id: canonical_text(d.text) for d in case.documents}
    (question,) = (q for q in case.golden if q["question_id"] == check["question_id"])
    spans = [(texts[span["doc_id"]], span["text"]) for span in question["spans"]]
    found = [resolve(text, quote) for text, quote in spans]
    assert {resolution.status for resolution in found} == {check["status"]}
    if "spans" in check:
        ranges = [list(resolution.span) for resolution in found if resolution.span]
        assert ranges == check["spans"]
    # DuckDB counts code points as Python does.
    with duckdb.connect() as connection:
        for (text, quote), resolution in zip(spans, found, strict=True):
            if resolution.status == "ok":
                start, end = resolution.span
                assert connection.execute(
                    "select instr(?, ?) - 1, substring(?, ? + 1, ? - ?)",
                    [text, quote, text, start, end, start],
                ).fetchone() == (start, quote)
    staged = request.getfixturevalue("stages").rows(
        "second",
        "select distinct status from stg_golden_spans where question_id = ?",
        f"{case.id}.{question['question_id']}",
    )
    assert staged == [(check["status"],)]


def seeded_gold(case, check, request):
    """Golden spans that came through `dbt seed` with their documents."""
    query = f"""
        select
            question_id, 'span' as label_kind, 1 as span_index, doc_id, span as quote,
            null::bigint as occurrence, null::bigint as char_start, null as section
        from "{case.id}_gold" where question_id = '{check["question_id"]}'
    """
    with duckdb.connect(str(request.getfixturevalue("seeded")), read_only=True) as connection:
        resolve_batch = resolver(connection.table(f"{case.id}_docs"))
        batches = iter(connection.sql(query).to_arrow_table().to_batches())
        (row,) = (row for batch in resolve_batch(batches) for row in batch.to_pylist())
    assert set(row) == set(RESOLVED_SCHEMA.names)
    assert row["status"] == check["status"]


def span_recall(case, check, request):
    """The share of gold characters, and which spans the contexts cover, together or alone.

    What is expected of the spans is counted here character by character.
    """
    contexts = given_contexts(case, check)
    (question,) = case.golden
    question_id = f"{case.id}.{question['question_id']}-{case.checks.index(check)}"
    strategy = f"chars_{case.config['size']}"
    stages = request.getfixturevalue("stages")
    shares = stages.rows(
        "given",
        """
        select value, n_scored from fct_metrics
        where
            strategy = ? and slice_kind = 'tag' and slice_value = ?
            and metric = 'character_recall' and k = 3
        """,
        strategy,
        question_id,
    )
    assert shares == [(pytest.approx(check["value"]), 1)]

    texts = {document.doc_id: document.text for document in case.documents}
    alone = [{(d, i) for i in range(start, end)} for d, start, end in contexts]
    needed = []
    for span in question["spans"]:
        start = texts[span["doc_id"]].index(span["text"])
        needed.append({(span["doc_id"], start + i) for i in range(len(span["text"]))})
    outcomes = stages.rows(
        "given",
        """
        select found_at_rank is not null, hit_rank is not null from fct_span_outcomes
        where question_id = ? and strategy = ? order by span_index
        """,
        question_id,
        strategy,
    )
    together = set().union(*alone)
    assert outcomes == [
        (span <= together, any(span <= context for context in alone)) for span in needed
    ]


# ---------------------------------------------------------------------------------------------
# Checks of rankings and metrics: gold chunks are spans


def metric(case, check, request):
    name, _, k = check["name"].partition("@")
    if name in METRICS_NOT_YET:
        raise NotYet(METRICS_NOT_YET[name])
    assert value_of(request, case, case.id, name, k) == pytest.approx(check["value"])


def value_of(request, case, world, name, k):
    stages = request.getfixturevalue("stages")
    # "Nothing beyond k" holds when k is the largest of the settings.
    stage = "given_at_2" if case.input["k"] == 2 else "given"
    if name == "hit":
        ((value,),) = stages.rows(
            stage,
            """
            select avg(found) from (
                select max(cast(coalesce(hit_rank <= ?, false) as integer)) as found
                from fct_span_outcomes
                where strategy = ? and question_id like ?
                group by question_id
            )
            """,
            int(k),
            f"chars_{CELL}",
            f"{world}.%",
        )
        return value
    ((value,),) = stages.rows(
        stage,
        """
        select value from fct_metrics
        where
            strategy = ? and slice_kind = 'tag' and slice_value = ? and label_kind = 'span'
            and metric = ? and (k = ? or ? is null)
        """,
        f"chars_{CELL}",
        world,
        name,
        int(k) if name != "mrr" else None,
        int(k) if name != "mrr" else None,
    )
    return value


def permutation_invariant(case, check, request):
    stages = request.getfixturevalue("stages")
    ranked = {
        world: stages.rows(
            "given",
            """
            select rank, context_start, score from fct_retrievals
            where strategy = ? and question_id like ? order by question_id, rank
            """,
            f"chars_{CELL}",
            f"{world}.%",
        )
        for world in (case.id, f"{case.id}-reversed")
    }
    assert len(ranked[case.id]) == 3
    assert ranked[case.id] == ranked[f"{case.id}-reversed"]
    for other in case.checks:
        if other["c"] == "metric":
            reversed_value = value_of(request, case, f"{case.id}-reversed", other["name"], "")
            assert reversed_value == pytest.approx(other["value"])


def n_questions(case, check, request):
    counted = request.getfixturevalue("stages").rows(
        "given",
        """
        select distinct n_scored from fct_metrics
        where strategy = ? and slice_kind = 'tag' and slice_value = ? and metric = 'recall'
        """,
        f"chars_{CELL}",
        case.id,
    )
    assert counted == [(check["value"],)]


def reported(case, check, request):
    """Results come from the questions that are given, so a result without gold is a question
    without evidence: it is listed as such, and counted as given but not as scored.
    """
    assert check["reason"] == "unknown_question"
    stages = request.getfixturevalue("stages")
    question = f"{case.id}.{check['question_id']}"
    ranked = "select count(*) > 0 from fct_retrievals where question_id = ?"
    assert stages.rows("given", ranked, question) == [(True,)]
    standing = "select standing from int_question_labels where question_id = ?"
    assert stages.rows("given", standing, question) == [("no_evidence",)]
    # The metrics of questions without an answer count others.
    counts = """
        select distinct n_given - n_scored from fct_metrics
        where slice_value = ? and metric = 'recall'
    """
    assert stages.rows("given", counts, case.id) == [(1,)]


def scored_for(case, check, request):
    """The same golden row is scored for strategies that cut differently."""
    sizes = {s["name"]: s["size"] for s in case.config["strategies"]}
    (question,) = case.golden
    for name in check["value"]:
        ranks = request.getfixturevalue("stages").rows(
            "second",
            "select found_at_rank from fct_span_outcomes where question_id = ? and strategy = ?",
            f"{case.id}.{question['question_id']}",
            f"chars_{sizes[name]}",
        )
        assert len(ranks) == 1 and ranks[0][0] >= 1


def ranking(case, check, request):
    """NaN and missing vectors are no rows, so they are in no ranking, and are reported."""
    stages = request.getfixturevalue("stages")
    chunks = [chunk for chunk, _ in case.input["rows"]["scores"]]
    ranked = stages.rows(
        "given",
        """
        select context_start, score from fct_retrievals
        where question_id = ? and strategy = ? order by rank
        """,
        f"{case.id}.q",
        f"chars_{CELL}",
    )
    scores = dict(case.input["rows"]["scores"])
    assert [chunks[start // CELL] for start, _ in ranked] == check["value"]
    assert [score for _, score in ranked] == [scores[chunk] for chunk in check["value"]]
    failures = "select reason from embedding_failures where run_id = ? order by reason"
    reasons = stages.rows("given", failures, case.id)
    assert reasons == [("RuntimeError: no vector",), ("the vector holds NaN or infinity",)]


# ---------------------------------------------------------------------------------------------
# Checks of files and of settings that are refused


def error(case, check, request):
    expected = [re.escape(check["match"])]
    if isinstance(check.get("row"), int):
        expected.append(f"line {check['row']}\\b")
    elif "row" in check:
        expected.append(f"'{check['row']}'")
    with pytest.raises(ValueError) as raised:
        provoke(case, request)
    for pattern in expected:
        assert re.search(pattern, str(raised.value))


def provoke(case, request):
    """Whatever the case says must fail."""
    folder = request.getfixturevalue("tmp_path")
    if "files" in case.input:
        (file,) = case.input["files"]
        read = {"docs.jsonl": read_documents, "gold.jsonl": read_questions}[file["path"]]
        path = folder / file["path"]
        lines = file["content"].splitlines(keepends=True)
        for good in lines[1:]:
            path.write_text(good, "utf-8")
            assert read(str(path)).num_rows == 1
        path.write_text(file["content"], "utf-8")
        read(str(path))
    elif "embeddings" in case.input:
        refuse_vectors(case)
    elif "golden" in case.input:
        (question,) = case.golden
        path = folder / "gold.csv"
        path.write_text(f"question_id,question\n{question['question_id']},{question['question']}\n")
        read_questions(str(path))
    else:
        cut_by_all(case)


def refuse_vectors(case):
    """Zero vectors are set aside with a reason; a model of other dimensions is refused."""
    dimensions = case.config.get("expected_dim", 2)
    declared = DeclaredModel(
        name="m", source=TOKENIZER, dimensions=dimensions, max_tokens=256, provider="hashing"
    )
    vectors = case.input["embeddings"]

    class Given:
        def encode(self, texts, text_kind="passage"):
            return [np.array(vectors[text], dtype=np.float32) for text in texts]

    batch = [PendingText("passage", text, text, 3) for text in vectors]
    stored, _, failures = encode_batch(Given(), declared, batch)
    bad = [t for t, v in vectors.items() if len(v) != dimensions or not any(v)]
    assert [text.text for text, _ in failures] == bad
    assert [text.text for text in stored] == [text for text in vectors if text not in bad]
    if "expected_dim" in case.config:
        # Before the corpus is embedded: on the first vector.
        check_dimensions(declared, np.array([vectors[text] for text in bad]))
    raise ValueError("; ".join(reason for _, reason in failures))


def ids(case, check, request):
    assert sorted(texts_of(case, request)) == sorted(check["value"])


def texts(case, check, request):
    assert texts_of(case, request) == check["value"]


def texts_of(case, request):
    """Text by id, the same from `dbt seed` and from the reader of files."""
    folder = request.getfixturevalue("tmp_path")
    for file in case.input["files"]:
        if "docs" in file["path"]:
            path = folder / file["path"].replace("/", "-")
            path.write_bytes(file["content"].encode())
    read = {row["doc_id"]: row["text"] for row in read_documents(str(folder / "*")).to_pylist()}
    with duckdb.connect(str(request.getfixturevalue("seeded")), read_only=True) as connection:
        query = f'select doc_id, text from "{case.id}_docs"'
        loaded = dict(connection.execute(query).fetchall())
    assert loaded
    assert loaded == {doc_id: text for doc_id, text in read.items() if doc_id in loaded}
    jsonl = [file for file in case.input["files"] if file["path"].endswith(".jsonl")]
    assert len(read) == len(loaded) + sum(len(f["content"].splitlines()) for f in jsonl)
    return read


# ---------------------------------------------------------------------------------------------
# Checks of what is stored


def chunk_rows(case, request, columns, strategy, stage="second"):
    return request.getfixturevalue("stages").rows(
        stage,
        f"""
        select {columns} from int_chunks where strategy = ? and doc_id like ?
        order by doc_id, chunk_index
        """,
        strategy,
        f"{case.id}.%",
    )


def unique_chunk_ids(case, check, request):
    chunks = chunk_rows(case, request, "chunk_id, body", f"chars_{case.config['size']}")
    assert len(chunks) > 1
    assert len({chunk_id for chunk_id, _ in chunks}) == len(chunks)
    # The point of the cases: the texts are the same.
    assert len({body.strip() for _, body in chunks}) == 1


def n_chunks_total(case, check, request):
    assert (
        len(chunk_rows(case, request, "chunk_id", f"chars_{case.config['size']}"))
        == (check["value"])
    )


def stored_doc_equals_input(case, check, request):
    (document,) = case.documents
    stored = request.getfixturevalue("stages").rows(
        "second", "select text from stg_documents where doc_id = ?", f"{case.id}.{document.doc_id}"
    )
    assert stored == [(document.text,)]


def flag(case, check, request):
    name = check["name"]
    stages = request.getfixturevalue("stages")
    if name == "query_truncated":
        flagged = stages.rows(
            "second",
            """
            select embeddings.truncated
            from stg_questions
            inner join int_texts
                on stg_questions.question = int_texts.text and int_texts.text_kind = 'query'
            inner join embeddings
                on
                    int_texts.embedding_key = embeddings.embedding_key
                    and embeddings.text_kind = 'query'
            where stg_questions.question_id = ?
            """,
            f"{case.id}.{check['question_id']}",
        )
    elif name == "gold_truncated":
        flagged = stages.rows(
            "second",
            "select is_unread from int_span_reading where question_id = ? and strategy = 'whole'",
            f"{case.id}.{check['question_id']}",
        )
    else:
        column = {"truncated": "over_limit", "unk_heavy": "is_mostly_unknown"}[name]
        strategy = {"document": "whole", "fixed": "tokens_64"}[case.config["strategy"]]
        flagged = stages.rows(
            "second",
            f"""
            select distinct {column}
            from int_chunk_tokens
            inner join int_chunks using (strategy, chunk_id)
            where strategy = ? and doc_id like ?
            """,
            strategy,
            f"{case.id}.%",
        )
    assert flagged == [(check["value"],)]


def ids_after(case, check, request):
    """Vectors belong to texts and stay as a cache; no row of a chunk or a ranking is left."""
    assert check["step"] == 2
    stages = request.getfixturevalue("stages")
    steps = [[d["doc_id"] for d in step["documents"]] for step in case.input["steps"]]
    for stage, expected in (("first", steps[0]), ("second", check["value"])):
        found = stages.rows(
            stage,
            "select distinct doc_id from int_chunks where doc_id like ? order by doc_id",
            f"{case.id}.%",
        )
        assert [doc_id for (doc_id,) in found] == [f"{case.id}.{doc_id}" for doc_id in expected]
    gone = set(steps[0]) - set(check["value"])
    assert gone
    retrieved = stages.rows("second", "select distinct doc_id from fct_retrievals")
    assert retrieved and not {(f"{case.id}.{doc_id}",) for doc_id in gone} & set(retrieved)


def n_chunks_after(case, check, request):
    stage = {1: "first", 2: "second"}[check["step"]]
    chunks = chunk_rows(case, request, "body", f"chars_{case.config['size']}", stage)
    assert len(chunks) == check["value"]


def cache_miss(case, check, request):
    """The second step names another model: every vector is computed again."""
    assert check["step"] == 2
    stages = request.getfixturevalue("stages")
    per_model = stages.rows(
        "second",
        """
        select embedding_model, count(*), count(distinct run_id)
        from embedding_store
        where embedding_key in (select embedding_key from int_chunks where doc_id like ?)
        group by embedding_model order by embedding_model
        """,
        f"{case.id}.%",
    )
    assert [name for name, _, _ in per_model] == ["m-a", "m-b"]
    assert per_model[0][1:] == per_model[1][1:] and per_model[0][1] > 0
    published = stages.rows("second", "select distinct embedding_model from embeddings")
    assert published == [("m-b",)]


# ---------------------------------------------------------------------------------------------
# The real model, in batches of one and in one batch


def same_vector(case, check, request):
    """Identical texts have one key, so they share one vector."""
    keys = {
        key
        for (key,) in request.getfixturevalue("stages").rows(
            "second",
            "select embedding_key from int_chunks where strategy = 'whole' and doc_id in (?, ?)",
            *(f"{case.id}.{doc_id}" for doc_id in check["docs"]),
        )
    }
    assert len(keys) == 1


def metrics_equal_across_steps(case, check, request):
    """Scores in other batches differ in the last bits; rounded to 6 places they rank the same."""
    declared = DeclaredModel(name="m", source=TOKENIZER, dimensions=384, max_tokens=256)
    encoder = load_encoder(declared)
    texts = [document.text for document in case.documents]
    pending = [PendingText("passage", text, text, 3) for text in texts]
    (query,) = encoder.encode(["filler phrase"])
    scores = []
    for step in case.input["steps"]:
        size = step["batch_size"]
        vectors = [
            encode_batch(encoder, declared, pending[i : i + size])[1]
            for i in range(0, len(pending), size)
        ]
        scores.append([round(float(score), 6) for score in np.vstack(vectors) @ query])
    first, second = scores
    assert first == pytest.approx(second, abs=1.1e-6)
    # Rows come back in the order given, whatever the encoder sorts by.
    assert first[0] == first[2] and second[0] == second[2] and first[0] != first[1]
    assert np.argsort(first, kind="stable").tolist() == np.argsort(second, kind="stable").tolist()


KINDS = {
    "slice_exact": slice_exact,
    "coverage": coverage,
    "starts_strictly_increase": starts_strictly_increase,
    "chunks": exact_chunks,
    "no_contained_chunk": no_contained_chunk,
    "no_empty_chunk": no_empty_chunk,
    "concat_equals_doc": concat_equals_doc,
    "substring_of_doc": substring_of_doc,
    "min_chunks": min_chunks,
    "n_chunks": n_chunks,
    "max_tokens": max_tokens,
    "min_full_chunk_tokens": min_full_chunk_tokens,
    "shared_tokens": shared_tokens,
    "heading_paths": heading_paths,
    "headings": headings_of,
    "token_count": token_count,
    "terminates": terminates,
    "gold": gold,
    "span_recall": span_recall,
    "span_recall_docs": span_recall,
    "metric": metric,
    "permutation_invariant": permutation_invariant,
    "n_questions": n_questions,
    "reported": reported,
    "scored_for": scored_for,
    "ranking": ranking,
    "error": error,
    "ids": ids,
    "texts": texts,
    "unique_chunk_ids": unique_chunk_ids,
    "n_chunks_total": n_chunks_total,
    "stored_doc_equals_input": stored_doc_equals_input,
    "flag": flag,
    "ids_after": ids_after,
    "n_chunks_after": n_chunks_after,
    "cache_miss": cache_miss,
    "same_vector": same_vector,
    "metrics_equal_across_steps": metrics_equal_across_steps,
    "rows_intact": rows_intact,
    "never_split_inside": never_split_inside,
}
