"""dbt in a process of its own that reports what it imported: `dbt_process.py REPORT ...`."""

import json
import resource
import sys
import time
from pathlib import Path

BEGAN = time.perf_counter()

from dbt.cli.main import dbtRunner  # noqa: E402 - the time it takes is measured

IMPORTED = time.perf_counter()
# What only embedding needs.
HEAVY = ("torch", "transformers", "sentence_transformers")


def main() -> None:
    """Run dbt and write the report."""
    report, *arguments = sys.argv[1:]
    result = dbtRunner().invoke(arguments)
    loaded = [name for name in HEAVY if name in sys.modules]
    # Linux counts kilobytes, macOS bytes.
    unit = 1_000_000 if sys.platform == "darwin" else 1_000
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    content = {
        "import_seconds": IMPORTED - BEGAN,
        "cpu_seconds": time.process_time(),
        "loaded": loaded,
        "peak_megabytes": peak,
    }
    Path(report).write_text(json.dumps(content), "utf-8")
    sys.exit(not result.success)


if __name__ == "__main__":
    main()
