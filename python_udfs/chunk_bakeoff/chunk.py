"""What a strategy returns: the chunk, its table, and the step from documents to chunks."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_type_hints

import pyarrow as pa

from chunk_bakeoff.batches import BatchFunction
from chunk_bakeoff.documents import Document
from chunk_bakeoff.embedding.declared import DeclaredModel, find_model
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.text import is_blank
from chunk_bakeoff.tokens import Tokenizer, load_tokenizer

# A SQL strategy may leave out every column but strategy, doc_id, char_start and char_end.
CHUNK_SCHEMA = pa.schema(
    [
        pa.field("strategy", pa.string(), nullable=False),
        pa.field("doc_id", pa.string(), nullable=False),
        pa.field("char_start", pa.int64(), nullable=False),
        pa.field("char_end", pa.int64(), nullable=False),
        pa.field("body", pa.string()),
        pa.field("heading_path", pa.string()),
        pa.field("embed_prefix", pa.string()),
        pa.field("embed_text", pa.string()),
        pa.field("context_start", pa.int64()),
        pa.field("context_end", pa.int64()),
        pa.field("context_prefix", pa.string()),
        pa.field("settings", pa.string()),
        pa.field("strategy_version", pa.string()),
    ]
)

# What a variant may say it breaks on purpose; the invariants then report instead of failing.
DECLARATIONS = frozenset({"over_limit", "nested"})


@dataclass(frozen=True, slots=True)
class Chunk:
    """A slice `text[start:end]` to rank, and the slice to deliver when it is found.

    Attributes:
        start: first code point of the body.
        end: one past its last code point.
        heading_path: headings above the body, joined with ` > `.
        prefix: text put in front of the body for the embedding only.
        embed_text: what is embedded instead of prefix and body, where that is another text.
        context: the slice to deliver, where it is not the body itself.
        context_prefix: text put in front of the delivered slice.
    """

    start: int
    end: int
    heading_path: str | None = None
    prefix: str = ""
    embed_text: str | None = None
    context: tuple[int, int] | None = None
    context_prefix: str = ""


@dataclass(frozen=True, slots=True)
class Sizing:
    """The tokenizer a variant counts with, and the longest text its model reads.

    Attributes:
        tokenizer: the sizing model's own.
        limit: its longest input in tokens, special tokens included.
        may_pass_limit: whether the variant declares `over_limit`.
    """

    tokenizer: Tokenizer
    limit: int
    may_pass_limit: bool = False

    def check_size(self, size: int) -> None:
        """Refuse chunks of `size` content tokens whose end the model would not read.

        Raises:
            UserError: `size` and the special tokens pass the limit, and nobody declared it.
        """
        most = self.limit - self.tokenizer.special_tokens
        if size > most and not self.may_pass_limit:
            raise UserError(
                f"size {size} passes what the sizing model reads: at most {most} tokens besides "
                "the special ones; choose a smaller size, or declare over_limit to break the "
                "limit on purpose"
            )


Cut = Callable[..., Iterable[Chunk]]


def chunker(
    cut: Cut,
    variants: Mapping[str, Mapping[str, Any]],
    models: Sequence[Mapping[str, Any]] = (),
    *,
    version: str,
) -> BatchFunction:
    """A function from batches of documents to batches of chunks, one run per variant.

    Args:
        cut: `cut(document, **settings)`; a parameter `sizing` receives the `Sizing` of the
            variant's `sizing_model` (default: the first declared embedding model).
        variants: settings by the variant's public name. `declares` lists what it breaks on
            purpose (see `DECLARATIONS`).
        models: the declared embedding models; only needed where `cut` has a parameter `sizing`.
        version: changes whenever the same settings would give other chunks.

    Raises:
        UserError: no variants, an unknown setting or a value that `cut` refuses. It is raised
            before any document is read, and names variant and setting.
    """
    if not variants:
        raise UserError("a strategy needs at least one variant under config.meta.variants")
    prepared = {
        name: _prepare(cut, name, dict(settings or {}), models)
        for name, settings in variants.items()
    }
    labels = {
        name: json.dumps(dict(settings or {}), sort_keys=True, ensure_ascii=False)
        for name, settings in variants.items()
    }

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            documents = [_document(row) for row in batch.to_pylist()]
            for name, arguments in prepared.items():
                rows = [
                    _row(name, document, chunk, labels[name], version)
                    for document in documents
                    for chunk in cut(document, **arguments)
                ]
                yield pa.RecordBatch.from_pylist(rows, schema=CHUNK_SCHEMA)

    return run


def _prepare(
    cut: Cut, name: str, settings: dict[str, Any], models: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Arguments for `cut`; tried on an empty document so that bad settings fail first."""
    declared = set(settings.pop("declares", None) or [])
    unknown = declared - DECLARATIONS
    if unknown:
        raise UserError(
            f"variant {name!r}: declares {sorted(unknown)}; known: {sorted(DECLARATIONS)}"
        )
    sizing_model = settings.pop("sizing_model", None)
    parameters = inspect.signature(cut).parameters
    if "sizing" in parameters:
        model: DeclaredModel = find_model(models, sizing_model)
        settings["sizing"] = Sizing(
            load_tokenizer(model.tokenizer_source), model.max_tokens, "over_limit" in declared
        )
    _check_settings(cut, name, settings)
    try:
        list(cut(Document(""), **settings))
    except UserError as error:
        raise UserError(f"variant {name!r}: {error}") from error
    except ValueError as error:
        raise ValueError(f"variant {name!r}: {error}") from error
    return settings


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
    try:
        return isinstance(value, annotation)
    except TypeError:
        # Not everything that can be annotated can be checked.
        return True


def _document(row: Mapping[str, Any]) -> Document:
    return Document(
        text=row["text"],
        doc_id=row["doc_id"],
        media_type=row.get("media_type") or "text/plain",
        language=row.get("language") or "und",
        metadata=row,
    )


def _row(
    strategy: str, document: Document, chunk: Chunk, settings: str, version: str
) -> dict[str, Any]:
    context_start, context_end = chunk.context or (chunk.start, chunk.end)
    for name, start, end in (
        ("chunk", chunk.start, chunk.end),
        ("context", context_start, context_end),
    ):
        # Python would read a negative start from the end, and an end beyond the text as its end.
        if not 0 <= start <= end <= len(document.text):
            raise UserError(
                f"strategy {strategy!r}, document {document.doc_id!r}: the {name} [{start}, {end}) "
                f"lies outside the text of {len(document.text)} characters"
            )
    body = document.text[chunk.start : chunk.end]
    if is_blank(body):
        raise UserError(
            f"strategy {strategy!r}, document {document.doc_id!r}: the chunk "
            f"[{chunk.start}, {chunk.end}) holds no text"
        )
    return {
        "strategy": strategy,
        "doc_id": document.doc_id,
        "char_start": chunk.start,
        "char_end": chunk.end,
        "body": body,
        "heading_path": chunk.heading_path,
        "embed_prefix": chunk.prefix,
        "embed_text": chunk.embed_text,
        "context_start": context_start,
        "context_end": context_end,
        "context_prefix": chunk.context_prefix,
        "settings": settings,
        "strategy_version": version,
    }
