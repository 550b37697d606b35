"""The variants of a strategy: settings checked, sweeps written out, tokenizers loaded."""

from __future__ import annotations

import hashlib
import inspect
import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_type_hints

from chunk_bakeoff.contract import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.embedding.declared import DeclaredModel, find_model
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.tokens import load_tokenizer

Cut = Callable[..., Iterable[Chunk]]

# What a variant may say it breaks on purpose; the invariants then report instead of failing.
DECLARATIONS = frozenset({"over_limit", "nested"})
PREFIX_TOKENS = 48
LATE_OVERLAP = 64


@dataclass(frozen=True, slots=True)
class Variant:
    """One public name with everything its chunks depend on, the document apart.

    Attributes:
        name: `strategy` in every mart.
        arguments: keyword arguments of the cut function.
        sizing: tokenizer and limit of the sizing model, before room is kept for a prefix; None
            where nothing is counted.
        label: the settings as written, as JSON.
        contextual_prefix: what the prefix names, column by label; empty for none.
        prefix_tokens: most tokens of the prefix.
        late_overlap: most tokens that neighbouring windows of late chunking share; None where
            chunks are embedded on their own.
        fingerprint: hash of the settings and the tokenizer.
    """

    name: str
    arguments: Mapping[str, Any]
    sizing: Sizing | None
    label: str
    contextual_prefix: Mapping[str, str]
    prefix_tokens: int
    late_overlap: int | None
    fingerprint: str


def prepare_variants(
    cut: Cut,
    variants: Mapping[str, Mapping[str, Any] | None],
    models: Sequence[Mapping[str, Any]],
) -> list[Variant]:
    """The variants of a strategy, each tried on an empty document.

    Args:
        cut: `cut(document, **settings)`; a parameter `sizing` receives the `Sizing` of the
            variant's `sizing_model`.
        variants: settings by public name. Beside those of `cut`, any variant may have
            `sizing_model` (default: the first declared model), `declares` (what it breaks on
            purpose, see `DECLARATIONS`), `contextual_prefix` (columns by label; `heading_path`
            is the path of headings above the chunk) with `prefix_tokens`, `late_chunking`
            (`true`, or `{overlap: tokens}`), and `sweep` (lists of values by setting: one
            variant for each combination, named by its values).
        models: the declared embedding models.

    Raises:
        UserError: no variants, an unknown setting or a value that is refused; variant and
            setting are named.
    """
    if not variants:
        raise UserError("a strategy needs at least one variant under config.meta.variants")
    return [_prepare(cut, name, settings, models) for name, settings in _written_out(variants)]


def _written_out(
    variants: Mapping[str, Mapping[str, Any] | None],
) -> Iterable[tuple[str, dict[str, Any]]]:
    for name, given in variants.items():
        settings = dict(given or {})
        sweep = settings.pop("sweep", None)
        if sweep is None:
            yield name, settings
            continue
        empty = [key for key, values in sweep.items() if not isinstance(values, list) or not values]
        if empty:
            raise UserError(f"variant {name!r}: sweep needs a list of values for {empty}")
        for values in itertools.product(*sweep.values()):
            label = "_".join(str(value) for value in (name, *values))
            yield label, {**settings, **dict(zip(sweep, values, strict=True))}


def _prepare(
    cut: Cut, name: str, settings: dict[str, Any], models: Sequence[Mapping[str, Any]]
) -> Variant:
    label = json.dumps(settings, sort_keys=True, ensure_ascii=False)
    declared = set(settings.pop("declares", None) or [])
    if declared - DECLARATIONS:
        raise UserError(
            f"variant {name!r}: declares {sorted(declared - DECLARATIONS)}; "
            f"known: {sorted(DECLARATIONS)}"
        )
    sizing_model = settings.pop("sizing_model", None)
    prefix = dict(settings.pop("contextual_prefix", None) or {})
    prefix_tokens = int(settings.pop("prefix_tokens", PREFIX_TOKENS)) if prefix else 0
    late_overlap = _late_overlap(name, settings.pop("late_chunking", None))
    if prefix and late_overlap is not None:
        raise UserError(
            f"variant {name!r}: late_chunking pools the tokens of the source, so it cannot have a "
            "contextual_prefix; leave one of the two out"
        )
    sizing = None
    sized = "sizing" in inspect.signature(cut).parameters
    if sized or prefix or late_overlap is not None:
        model: DeclaredModel = find_model(models, sizing_model)
        sizing = Sizing(
            load_tokenizer(model.tokenizer_source), model.max_tokens, "over_limit" in declared
        )
    if sized and sizing:
        # Room for the prefix is kept below the limit.
        settings["sizing"] = replace(sizing, limit=sizing.limit - prefix_tokens)
    _check_settings(cut, name, settings)
    try:
        list(cut(Document(""), **settings))
    except UserError as error:
        room = f" (with {prefix_tokens} of them kept for contextual_prefix)" if prefix else ""
        raise UserError(f"variant {name!r}: {error}{room}") from error
    except ValueError as error:
        raise ValueError(f"variant {name!r}: {error}") from error
    digest = hashlib.sha256(f"{name}\n{label}\n{sizing and sizing.limit}\n".encode())
    if sizing:
        digest.update(sizing.tokenizer.digest.encode())
    return Variant(
        name, settings, sizing, label, prefix, prefix_tokens, late_overlap, digest.hexdigest()
    )


def _late_overlap(name: str, given: Any) -> int | None:
    if given is None or given is False:
        return None
    overlap = given.get("overlap", LATE_OVERLAP) if isinstance(given, Mapping) else LATE_OVERLAP
    if not isinstance(overlap, int) or overlap < 0:
        raise UserError(
            f"variant {name!r}: late_chunking is true or {{overlap: tokens}}, not {given!r}"
        )
    return overlap


def _check_settings(cut: Cut, variant: str, settings: Mapping[str, Any]) -> None:
    """Refuse settings that `cut` does not know, misses, or annotates with another type."""
    _, *parameters = inspect.signature(cut).parameters.values()
    names = {parameter.name for parameter in parameters}
    unknown = sorted(set(settings) - names)
    if unknown:
        known = sorted(names - {"sizing"})
        raise UserError(f"variant {variant!r}: unknown setting {unknown}; known: {known}")
    missing = [p.name for p in parameters if p.default is p.empty and p.name not in settings]
    if missing:
        raise UserError(f"variant {variant!r}: the setting {missing} must be given")
    types = get_type_hints(cut)
    for key, value in settings.items():
        if not _is_of_type(value, types.get(key, object)):
            wanted = getattr(types[key], "__name__", types[key])
            raise UserError(f"variant {variant!r}: {key} must be {wanted}, not {value!r}")


def _is_of_type(value: Any, annotation: Any) -> bool:
    # YAML writes 95 where 95.0 is meant.
    if annotation is float:
        annotation = int | float
    try:
        return isinstance(value, annotation)
    except TypeError:
        # Not everything that can be annotated can be checked.
        return True
