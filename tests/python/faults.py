"""Kill embedding runs at random points, and run two builds at once: `make faults`."""

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from warehouse import HASHING, Warehouse

# One text is one batch, so that a kill can fall between any two texts.
ONE_BY_ONE = {**HASHING, "batch_tokens": 1}
TEXTS = 200
# A folder is called `embeddings` too, hence the file.
RUN = ("run", "--select", "int_embedding_run", "embedding_runs", "file:embeddings.sql")
STARTED = "START python table model main.int_embedding_run"
LOCKED = "Could not set lock on file"
VECTORS = """
    select embedding_model, text_kind, embedding_key, embedding, token_count, truncated
    from embeddings order by embedding_model, text_kind, embedding_key
"""


def corpus(folder):
    """A warehouse with many short documents, of which nothing is built."""
    folder.mkdir(parents=True, exist_ok=True)
    warehouse = Warehouse(folder, embedding_models=[ONE_BY_ONE])
    words = ["valve", "pump", "filter", "crew", "night", "spring", "washed", "checked"]
    chooser = random.Random(1)
    warehouse.write(
        **{
            f"document_{i}": f"Note {i}: " + " ".join(chooser.choices(words, k=6)) + "."
            for i in range(TEXTS)
        }
    )
    warehouse.ask({"question_id": "q1", "question": "Which pump is checked?", "groups": "*"})
    return warehouse


def prepared(folder):
    """A warehouse in which every text is cut and counted, and none is embedded."""
    warehouse = corpus(folder)
    warehouse.dbt("run", "--select", "+int_texts", "embedding_failures", "embedding_batches")
    return warehouse


def log_bytes(warehouse):
    """Size of DuckDB's write-ahead log, which grows with every batch that is committed."""
    log = warehouse.database.with_name(warehouse.database.name + ".wal")
    try:
        return log.stat().st_size
    except FileNotFoundError:
        return 0


def kill_during_embedding(warehouse, log_growth):
    """Start a run, and send SIGKILL when its commits have made the log grow by so many bytes.

    A point in the log, not in time: a busy machine must not move every kill before or behind the
    embedding. Returns by how much the log had grown.
    """
    process = warehouse.start(*RUN)
    lines = []
    for line in process.stdout:
        lines.append(line)
        if STARTED in line:
            break
    else:
        raise AssertionError("the run ended before it embedded:\n" + "".join(lines))
    before = log_bytes(warehouse)
    grown = 0
    while process.poll() is None and grown < log_growth:
        time.sleep(0.001)
        grown = max(grown, log_bytes(warehouse) - before)
    process.kill()
    process.wait()
    process.stdout.close()
    return grown


def stored_texts(warehouse):
    """(rows, distinct texts) of the store."""
    return warehouse.rows(
        """
        select count(*), count(distinct (embedding_model, model_revision, text_kind, embedding_key))
        from embedding_store
        """
    )[0]


def two_at_once(warehouse):
    """Start two builds on one database; returns their outputs and return codes."""
    processes = [warehouse.start(*RUN), warehouse.start(*RUN)]
    return [(process.communicate()[0], process.returncode) for process in processes]


def check_two_at_once(warehouse):
    """One build does the work; the other waited, or stopped and says which process it met."""
    results = two_at_once(warehouse)
    assert any(code == 0 for _, code in results), "".join(output for output, _ in results)
    for output, code in results:
        assert code == 0 or (LOCKED in output and "PID" in output), output
    assert stored_texts(warehouse) == (TEXTS + 1, TEXTS + 1)
    return "waited" if all(code == 0 for _, code in results) else "stopped with a clear sentence"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    chooser = random.Random(options.seed)
    print(f"faults: seed {options.seed}, {options.points} points", flush=True)
    with tempfile.TemporaryDirectory() as name:
        warehouse = prepared(Path(name))
        before = Path(name) / "before.duckdb"
        shutil.copy(warehouse.database, before)
        # Killed never: the log then shows how far it grows.
        longest = kill_during_embedding(warehouse, log_growth=2**40)
        warehouse.dbt(*RUN)
        undisturbed = warehouse.rows(VECTORS)
        print(f"faults: an undisturbed run writes {longest:,} bytes of log", flush=True)
        partly = 0
        for point in range(1, options.points + 1):
            for file in Path(name).glob("warehouse.duckdb*"):
                file.unlink()
            shutil.copy(before, warehouse.database)
            growth = chooser.randrange(longest)
            kill_during_embedding(warehouse, growth)
            kept, _ = stored_texts(warehouse)
            warehouse.dbt(*RUN)
            total, distinct = stored_texts(warehouse)
            assert total == distinct == TEXTS + 1, (point, total, distinct)
            assert warehouse.rows(VECTORS) == undisturbed, f"point {point}: other vectors"
            partly += 0 < kept < TEXTS + 1
            print(
                f"faults: point {point}: killed after {growth:,} bytes of log with {kept} texts "
                f"stored, the next run embedded the other {total - kept}",
                flush=True,
            )
        for file in Path(name).glob("warehouse.duckdb*"):
            file.unlink()
        shutil.copy(before, warehouse.database)
        print(f"faults: of two builds at once the second {check_two_at_once(warehouse)}")
        print(
            f"faults: {options.points} kills, {partly} of them in the middle of the texts; no text "
            "embedded twice, none lost, vectors equal to those of the undisturbed run"
        )


if __name__ == "__main__":
    sys.exit(main())
