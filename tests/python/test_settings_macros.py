"""The macros that refuse settings, rendered without dbt."""

import json
import re
from types import SimpleNamespace

import jinja2
import pytest
from support import REPO

INPUTS = (
    *("documents_path", "documents_relation", "questions_path", "questions_relation"),
    *("golden_spans_relation", "elements_path"),
)


class Refused(Exception):
    """What dbt would print as a compilation error."""


def refuse(message):
    raise Refused(message)


def check(macro, settings, *arguments, file=None):
    """Call the macro with these settings, as while dbt compiles a model."""
    known = {
        "var": settings.__getitem__,
        "exceptions": SimpleNamespace(raise_compiler_error=refuse),
        "tojson": json.dumps,
        "execute": True,
        "return": str,
        "chunk_bakeoff": SimpleNamespace(default_embedding_model=lambda: "small"),
    }
    source = (REPO / "macros" / "settings" / f"{file or macro}.sql").read_text("utf-8")
    environment = jinja2.Environment(extensions=["jinja2.ext.do"])
    getattr(environment.from_string(source, known).module, macro)(*arguments)


CUTOFFS = {"k_values": [10, 1], "token_budgets": [500, 1000], "default_budget": 1000}


def test_cutoffs_in_any_order():
    check("check_cutoffs_settings", CUTOFFS)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"k_values": []}, "`k_values` must be a list of at least one number"),
        ({"k_values": 5}, r"`k_values` must be a list .*, not 5\."),
        ({"token_budgets": "500"}, "`token_budgets` must be a list .*, not 500"),
        ({"token_budgets": None}, "`token_budgets` must be a list .*, not None"),
        ({"k_values": [1, "5"]}, '`k_values` lists "5": every item must be a whole number above 0'),
        ({"k_values": [0, 1]}, "`k_values` lists 0: every item must be a whole number"),
        ({"k_values": [1, -3]}, "`k_values` lists -3: "),
        ({"token_budgets": [500.5, 1000]}, "`token_budgets` lists 500.5: "),
        # With two rows of one cut-off every question would count twice.
        ({"k_values": [5, 1, 5]}, "`k_values` lists 5 twice; keep one"),
        ({"default_budget": 700}, r"`default_budget` is 700, .* `token_budgets` \[500, 1000\]"),
        ({"default_budget": "1000"}, '`default_budget` is "1000", which is none of'),
    ],
)
def test_cutoffs_that_cannot_be_used(settings, complaint):
    with pytest.raises(Refused, match=complaint):
        check("check_cutoffs_settings", {**CUTOFFS, **settings})


NUMBERS = {
    **{"max_loss": 0.05, "significance_level": 0.05, "max_regression": 0, "max_drift": 1},
    **{"unknown_share_limit": 0.2, "smallest_slice": 20, "context_price_per_million_tokens": 0},
}


def test_numbers_and_the_ends_of_their_ranges():
    check("check_number_settings", NUMBERS)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"max_loss": 5}, "`max_loss` is 5, which is not a number from 0 to 1"),
        ({"max_loss": None}, "`max_loss` is null, which is not a number"),
        ({"significance_level": "0.05"}, '`significance_level` is "0.05", which is not a number'),
        ({"max_regression": -0.1}, "`max_regression` is -0.1"),
        # In Python a truth value is a number.
        ({"max_drift": True}, "`max_drift` is true"),
        ({"unknown_share_limit": 1.5}, "`unknown_share_limit` is 1.5"),
        ({"smallest_slice": 0}, "`smallest_slice` is 0, which is not a whole number above 0"),
        ({"smallest_slice": 2.5}, "`smallest_slice` is 2.5"),
        ({"context_price_per_million_tokens": -1}, "`context_price_per_million_tokens` is -1"),
    ],
)
def test_numbers_that_cannot_be_used(settings, complaint):
    with pytest.raises(Refused, match=complaint):
        check("check_number_settings", {**NUMBERS, **settings})


@pytest.mark.parametrize(
    "own",
    [
        (),
        ("documents_path", "questions_path"),
        ("documents_path", "questions_relation", "golden_spans_relation"),
        ("documents_relation", "questions_path"),
    ],
)
def test_inputs_that_belong_together(own):
    check("check_own_inputs", {name: "mine" if name in own else None for name in INPUTS})


@pytest.mark.parametrize(
    ("own", "complaint"),
    [
        (
            ("documents_path",),
            "Only the documents are your own. Set your own questions (questions_path, "
            "questions_relation) and golden spans (questions_path, golden_spans_relation) too",
        ),
        (
            ("questions_path",),
            "Only the questions and golden spans are your own. Set your own documents "
            "(documents_path, documents_relation, elements_path) too",
        ),
        (
            ("documents_relation", "questions_relation"),
            "Set your own golden spans (questions_path, golden_spans_relation) too",
        ),
    ],
)
def test_own_inputs_do_not_meet_the_bundled_corpus(own, complaint):
    with pytest.raises(Refused, match=re.escape(complaint)):
        check("check_own_inputs", {name: "mine" if name in own else None for name in INPUTS})


@pytest.mark.parametrize("variants", [{}, {"fixed": {"f": {"size": 8}}, "by_line": {}}])
def test_variants_of_models_that_run(variants):
    check_variants(variants)


def test_variants_of_a_model_that_does_not_run():
    with pytest.raises(Refused, match="variants for `fixd`, which is none of the `strategies`"):
        check_variants({"fixd": {"f": {"size": 8}}})


def check_variants(variants):
    check(
        "check_strategy_variants_setting",
        {"strategy_variants": variants},
        ["fixed", "mine.by_line"],
        file="union_strategies",
    )


@pytest.mark.parametrize("name", [None, "small", "large"])
def test_a_declared_model_embeds_units(name):
    check_unit_model(name)


def test_a_model_that_is_not_declared_embeds_no_units():
    with pytest.raises(Refused, match="`unit_embedding_model` is `nope`, which is not declared"):
        check_unit_model("nope")


def check_unit_model(name):
    models = [{"name": "small"}, {"name": "large"}]
    check("unit_embedding_model", {"unit_embedding_model": name, "embedding_models": models})


@pytest.mark.parametrize("models", [{"name": "m", "dimensions": 4}, "m", ["m"]])
def test_embedding_models_that_are_no_list_of_models(models):
    with pytest.raises(Refused, match="`embedding_models` must be a list of models"):
        check("default_embedding_model", {"embedding_models": models})


def test_retrievers_that_are_no_list():
    with pytest.raises(Refused, match=r"`retrievers` must be a list, .*, not dense\."):
        check("needed_retrievers", {"retrievers": "dense"}, file="retrievers")


def test_how_to_abstain():
    check("abstention", {"abstention": {"signal": "margin"}})
    check("abstention", {"abstention": {"target_false_answer_rate": 0}})


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("score", "`abstention` must be a mapping, .*, not score"),
        ({"rate": 0.1}, "unknown key `rate`; known: signal, target_false_answer_rate"),
        ({"signal": "scor"}, "signal: `scor` is neither score nor margin"),
        ({"target_false_answer_rate": 10}, "`10` is not a number from 0 to 1"),
        ({"target_false_answer_rate": "5%"}, "`5%` is not a number from 0 to 1"),
    ],
)
def test_abstention_that_cannot_be_chosen(setting, complaint):
    with pytest.raises(Refused, match=complaint):
        check("abstention", {"abstention": setting})


MODELS = [{"dimensions": 384}, {"dimensions": 128}]


def test_two_steps_with_the_default_of_a_key_that_is_not_given():
    for given in ({}, {"dimensions": 384}, {"shortlist": 1}):
        check("two_step", {"two_step": given, "embedding_models": MODELS})
    check("two_step", {"two_step": {}, "embedding_models": []})


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        (64, "`two_step` must be a mapping, .*, not 64"),
        ({"dimension": 64}, "unknown key `dimension`; known: dimensions, shortlist"),
        ({"dimensions": 0}, "two_step, dimensions: `0` is not a whole number above 0"),
        ({"dimensions": "64"}, "two_step, dimensions: `64` is not a whole number"),
        ({"shortlist": 0}, "two_step, shortlist: `0` is not a whole number above 0"),
        ({"shortlist": True}, "two_step, shortlist: `True` is not a whole number"),
        ({"dimensions": 385}, r"`385` are more than any model in `embedding_models` has \(384\)"),
    ],
)
def test_two_steps_that_cannot_be_searched(setting, complaint):
    with pytest.raises(Refused, match=complaint):
        check("two_step", {"two_step": setting, "embedding_models": MODELS})


def test_a_bill_of_contexts_with_the_default_of_a_key_that_is_not_given():
    check("llm_context", {"llm_context": {"input_price": 0}})


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        (None, "`llm_context` must be a mapping, .*, not None"),
        ({"input": 1}, "unknown key `input`; known: input_price, output_price, cache_write"),
        ({"output_price": "5"}, "llm_context, output_price: `5` is not a number from 0 on"),
        ({"cache_read_factor": -0.1}, "llm_context, cache_read_factor: `-0.1` is not a number"),
    ],
)
def test_a_bill_of_contexts_that_cannot_be_made_out(setting, complaint):
    with pytest.raises(Refused, match=complaint):
        check("llm_context", {"llm_context": setting})
