"""Which revision of the project a run belongs to."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime

import pyarrow as pa

from chunk_bakeoff.project import project_folder

UNKNOWN = "unknown"


def git_revision() -> str:
    """The checked-out commit, with `-dirty` where files differ; `unknown` without git."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        finished = subprocess.run(
            command, cwd=project_folder(), capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError, SystemExit):
        return UNKNOWN
    return finished.stdout.strip() or UNKNOWN


def run_table(run_id: str) -> pa.Table:
    """One row with the run, when it began to be judged, and the revision of the code."""
    now = datetime.now(UTC).replace(tzinfo=None)
    return pa.table({"run_id": [run_id], "run_at": [now], "git_revision": [git_revision()]})
