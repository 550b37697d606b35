"""What a strategy returns, and what it is given to count with."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from chunk_bakeoff.errors import UserError
from chunk_bakeoff.tokens import Tokenizer

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
        pa.field("window_start", pa.int64()),
        pa.field("window_end", pa.int64()),
        pa.field("parent_start", pa.int64()),
        pa.field("parent_end", pa.int64()),
        pa.field("settings", pa.string()),
        pa.field("strategy_version", pa.string()),
        pa.field("cut_key", pa.string()),
    ]
)


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
        window: for late chunking the slice that runs through the model; the vector is the mean
            of the body's tokens in it.
        parent: the slice that a delivery with `auto_merge` may send in place of the context.
    """

    start: int
    end: int
    heading_path: str | None = None
    prefix: str = ""
    embed_text: str | None = None
    context: tuple[int, int] | None = None
    context_prefix: str = ""
    window: tuple[int, int] | None = None
    parent: tuple[int, int] | None = None


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
