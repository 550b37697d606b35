"""Time and memory of cutting, at sizes ten times apart, each in a process of its own."""

import json
import resource
import subprocess
import sys
from pathlib import Path

from chunking import CUTS, cut, fresh_tokenizer, markdown, seconds
from measuring import Workspace, print_table

MEGABYTES = (1, 10, 100)
# What would take longer, going by the size before, is left out.
MOST_SECONDS = 150.0


def measure(workspace: Workspace) -> None:
    """Print seconds and the peak of memory by strategy and size."""
    rows = []
    for name in CUTS:
        expected = 0.0
        for megabytes in MEGABYTES[:1] if workspace.quick else MEGABYTES:
            if expected > MOST_SECONDS:
                print(f"{name} on {megabytes} MB was left out: about {expected:.0f} s")
                break
            found = in_own_process(name, megabytes)
            taken = found["seconds"]
            rows.append([name, megabytes, taken, taken / megabytes, found["peak"]])
            expected = 10 * taken
    print_table(["", "MB", "seconds", "per MB", "peak of memory in MB"], rows)


def in_own_process(name: str, megabytes: int) -> dict[str, float]:
    command = [sys.executable, __file__, name, str(megabytes)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def one(name: str, megabytes: int) -> dict[str, float]:
    """One strategy on one size: seconds, and the most memory that the process has held."""
    tokenizer = fresh_tokenizer()
    text = markdown(megabytes)
    taken = seconds(lambda: sum(1 for _ in cut(name, tokenizer, text)))
    return {"seconds": taken, "peak": peak_of_memory()}


def peak_of_memory() -> float:
    """The most memory in MB; on Linux `ru_maxrss` would begin with that of the parent process."""
    status = Path("/proc/self/status")
    if status.is_file():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1_000
    # macOS counts bytes.
    unit = 1_000_000 if sys.platform == "darwin" else 1_000
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


if __name__ == "__main__":
    print(json.dumps(one(sys.argv[1], int(sys.argv[2]))))
