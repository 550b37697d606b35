"""The bare minimum: encode the texts of a built database and nothing else."""

import json
import sys
import time

import duckdb
from sentence_transformers import SentenceTransformer

from chunk_bakeoff.packaged import model_path


def main() -> None:
    """Print how many texts there are and how long loading and encoding took, as JSON."""
    database, source = sys.argv[1:]
    with duckdb.connect(database, read_only=True) as connection:
        texts = [
            text for (text,) in connection.execute("select distinct text from int_texts").fetchall()
        ]
    began = time.perf_counter()
    model = SentenceTransformer(str(model_path(source)))
    loaded = time.perf_counter()
    model.encode(texts)
    encoded = time.perf_counter()
    seconds = {"load_seconds": loaded - began, "encode_seconds": encoded - loaded}
    print(json.dumps({"texts": len(texts), **seconds}))


if __name__ == "__main__":
    main()
