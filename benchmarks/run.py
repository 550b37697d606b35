"""Measure the project and print the figures: `python benchmarks/run.py [NAME ...] [--quick]`."""

import argparse
import tempfile
from pathlib import Path

import backends
import chunking
import chunking_growth
import cold_build
import edited_page
import encoding
import lexical_ranking
import many_texts
import ranking
import unchanged_build
import verdict
from measuring import Workspace, load_corpus, machine

BENCHMARKS = {
    "cold_build": cold_build.measure,
    "unchanged_build": unchanged_build.measure,
    "edited_page": edited_page.measure,
    "ranking": ranking.measure,
    "lexical_ranking": lexical_ranking.measure,
    "chunking": chunking.measure,
    "chunking_growth": chunking_growth.measure,
    "encoding": encoding.measure,
    "backends": backends.measure,
    "many_texts": many_texts.measure,
    "verdict": verdict.measure,
}


def main() -> None:
    """Run the benchmarks that are named, or all, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}")
    parser.add_argument("--quick", action="store_true", help="one round of a small part")
    parser.add_argument(
        "--references",
        type=Path,
        default=Path("../shared/reference"),
        help="folder whose cargo/ is the corpus, where it exists; the bundled corpus otherwise",
    )
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(BENCHMARKS))
    if unknown:
        parser.error(f"there is no benchmark {unknown}; there are {', '.join(BENCHMARKS)}")
    print(machine())
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        corpus = load_corpus(options.references, quick=options.quick)
        workspace = Workspace(Path(folder), corpus, quick=options.quick)
        for name in options.names or BENCHMARKS:
            print(f"\n== {name} ==", flush=True)
            BENCHMARKS[name](workspace)


if __name__ == "__main__":
    main()
