"""The hard inputs: where they lie, how they are read, and what of them has no subject yet."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import REPO

from chunk_bakeoff.documents import MARKDOWN, Document

PATH = Path(os.environ.get("CHUNK_BAKEOFF_CASES", REPO.parent / "shared/cases/cases.jsonl"))

# What a check asks for and this project does not have yet. A metric in `fct_metrics` whose name
# holds the key ends the excuse.
METRICS_NOT_YET = {"ndcg": "there is no metric nDCG yet"}


class NotYet(Exception):
    """The subject of a check does not exist yet; the message says which."""


@dataclass(frozen=True)
class Case:
    """One line of the file.

    Attributes:
        documents: in the order given, with canonical text left to the test.
    """

    id: str
    kind: str
    basis: str
    input: dict[str, Any]
    checks: list[dict[str, Any]]

    @property
    def config(self) -> dict[str, Any]:
        return self.input.get("config", {})

    @property
    def documents(self) -> list[Document]:
        return read(self.input["documents"])

    @property
    def golden(self) -> list[dict[str, Any]]:
        """Questions with their spans as `[{doc_id, text}]`."""
        return [
            {
                **question,
                "spans": [
                    span if isinstance(span, dict) else {"doc_id": question["doc_id"], "text": span}
                    for span in question["spans"]
                ],
            }
            for question in self.input.get("golden", [])
        ]


def read(documents: list[dict[str, Any]]) -> list[Document]:
    """Documents of a case or of one of its steps."""
    return [
        Document(
            text=given.get("text")
            or "".join(piece * times for piece, times in given.get("parts", [])),
            doc_id=given["doc_id"],
            media_type=MARKDOWN if given["format"] == "markdown" else "text/plain",
        )
        for given in documents
    ]


def load() -> list[Case]:
    """All cases; none where the file does not exist."""
    if not PATH.is_file():
        return []
    fields = ("id", "kind", "basis", "input", "checks")
    lines = PATH.read_text("utf-8").splitlines()
    return [Case(**{field: json.loads(line)[field] for field in fields}) for line in lines]
