"""The tutorial, run as it stands."""

import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from support import REPO

# A path in backticks on a line of its own and the block below it, or a block of commands.
BLOCK = re.compile(
    r"(?:^`(?P<path>[^`\n]+)`\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S
)


def run_tutorial(page, folder):
    """Write the files of the page into `folder` and run its commands there."""
    environment = {
        **os.environ,
        "CHUNK_BAKEOFF": str(REPO),
        "DO_NOT_TRACK": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    for block in BLOCK.finditer(page):
        if block["path"]:
            file = folder / block["path"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block["text"])
        else:
            assert block["kind"] == "sh"
            finished = subprocess.run(
                ["bash", "-e", "-c", block["text"]],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert finished.returncode == 0, finished.stdout + finished.stderr


@pytest.mark.slow
def test_the_tutorial_puts_both_strategies_on_the_leaderboard(tmp_path):
    run_tutorial((REPO / "docs" / "adding-a-strategy.md").read_text("utf-8"), tmp_path)
    with duckdb.connect(str(tmp_path / "handbook.duckdb"), read_only=True) as connection:
        board = connection.sql(
            "select strategy, chunks, n_scored from rpt_strategy_leaderboard order by strategy"
        ).fetchall()
    # Two documents of two paragraphs, each a line.
    assert board == [
        ("by_line", 4, 2),
        ("by_paragraph", 4, 2),
        ("by_two_paragraphs", 2, 2),
        ("fixed_128_0", 2, 2),
        ("fixed_128_32", 2, 2),
        ("fixed_128_64", 2, 2),
        ("fixed_250_0", 2, 2),
    ]
