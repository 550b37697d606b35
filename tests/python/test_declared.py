import pytest
from support import TOKENIZER

from chunk_bakeoff.embedding.declared import (
    DeclaredModel,
    declared_models,
    find_model,
    model_table,
)

MODEL = {"name": "m", "source": TOKENIZER, "dimensions": 4, "max_tokens": 8, "provider": "hashing"}


def test_defaults():
    entry = {key: value for key, value in MODEL.items() if key != "provider"}
    (model,) = declared_models([entry])
    assert model.provider == "sentence_transformers"
    assert (model.prefix("query"), model.prefix("passage")) == ("", "")
    assert (model.batch_tokens, model.price_per_million_tokens) == (4096, 0.0)


def test_prefixes():
    (model,) = declared_models([{**MODEL, "query_prefix": "q: ", "passage_prefix": "p: "}])
    assert (model.prefix("query"), model.prefix("passage")) == ("q: ", "p: ")


@pytest.mark.parametrize(
    ("entries", "complaint"),
    [
        (MODEL, "must be a list of models, each with its settings, not {'name': 'm'"),
        (["m"], r"must be a list of models, each with its settings, not \['m'\]"),
        ([{**MODEL, "dims": 4}], r"entry 1 \(m\): unknown key \['dims'\]; known: "),
        ([{"source": "s", "max_tokens": 8}],
         r"entry 1 \(without a name\): \['name', 'dimensions'\] must be given"),
        ([MODEL, MODEL], r"\['m'\] declared more than once"),
        ([{**MODEL, "dimensions": "4"}], r"entry 1 \(m\): dimensions must be a whole number above"),
        ([{**MODEL, "dimensions": True}], "dimensions must be a whole number"),
        ([{**MODEL, "max_tokens": 8.5}], r"max_tokens must be .*, not 8\.5"),
        ([{**MODEL, "batch_tokens": -1}], "batch_tokens must be a whole number above 0"),
        ([{**MODEL, "name": "it's"}], "name must be without quotes"),
        ([{**MODEL, "name": "lexical_units"}], "this name stands for no model in the marts"),
        ([{**MODEL, "name": "none"}], "this name stands for no model in the marts"),
        ([{**MODEL, "provider": "none"}], "provider 'none' gives no vectors; remove the entry"),
        ([{**MODEL, "query_prefix": None}], "query_prefix must be a text, not None"),
        ([{**MODEL, "price_per_million_tokens": "0.1"}], "must be a number from 0 on, not '0.1'"),
    ],
)  # fmt: skip
def test_declarations_that_cannot_work(entries, complaint):
    with pytest.raises(ValueError, match=complaint):
        declared_models(entries)


def test_find_model():
    models = [MODEL, {**MODEL, "name": "n"}]
    assert find_model(models, None).name == "m"
    assert find_model(models, "n").name == "n"
    with pytest.raises(ValueError, match=r"'x' is not declared; embedding_models has \['m', 'n'\]"):
        find_model(models, "x")


@pytest.mark.parametrize(
    "change",
    [
        {"max_tokens": 9},
        {"dimensions": 5},
        {"query_prefix": "q"},
        {"passage_prefix": "p"},
        {"provider": "another"},
        {"source": "elsewhere"},
    ],
)
def test_the_revision_depends_on_all_that_a_vector_does(change, monkeypatch):
    monkeypatch.setattr(
        "chunk_bakeoff.embedding.providers.identity", lambda model: model.source.encode()
    )
    assert DeclaredModel(**MODEL).revision() != DeclaredModel(**{**MODEL, **change}).revision()


@pytest.mark.parametrize(
    "change", [{"name": "n"}, {"price_per_million_tokens": 1.0}, {"batch_tokens": 9}]
)
def test_the_revision_depends_on_nothing_else(change):
    assert DeclaredModel(**MODEL).revision() == DeclaredModel(**{**MODEL, **change}).revision()


def test_the_revision_depends_on_the_content_of_the_files_not_on_where_they_lie(tmp_path):
    def revision(folder, **files):
        (tmp_path / folder).mkdir(exist_ok=True)
        for name, content in files.items():
            (tmp_path / folder / name.replace("_", ".")).write_text(content)
        model = {**MODEL, "provider": "sentence_transformers", "source": str(tmp_path / folder)}
        return DeclaredModel(**model).revision()

    first = revision("a", model_safetensors="1", config_json="{}", README_md="x")
    assert revision("b", model_safetensors="1", config_json="{}", README_md="y") == first
    assert revision("c", model_safetensors="2", config_json="{}") != first
    assert revision("d", model_safetensors="1", config_json="{ }") != first
    assert revision("e", other_safetensors="1", config_json="{}") != first


def test_model_table():
    models = [MODEL, {**MODEL, "name": "n", "price_per_million_tokens": 2}]
    rows = model_table(models).to_pylist()
    assert [(row["embedding_model"], row["is_default"]) for row in rows] == [
        ("m", True),
        ("n", False),
    ]
    assert rows[0]["model_revision"] == DeclaredModel(**MODEL).revision()
    assert rows[1]["price_per_million_tokens"] == 2.0
