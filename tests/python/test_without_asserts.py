"""`python -O` drops assertions: no rule of the package may be one."""

import ast
import os
import subprocess
import sys

import pytest
from support import REPO

PACKAGE = sorted((REPO / "python_udfs" / "chunk_bakeoff").rglob("*.py"))
# Rules that refuse or keep apart: strict input, and what chunks may not cross.
RULES = ("test_rows", "test_element_questions", "test_elements")


@pytest.mark.parametrize("file", PACKAGE, ids=lambda file: file.stem)
def test_no_module_holds_an_assertion(file):
    nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
    assert not [node.lineno for node in nodes if isinstance(node, ast.Assert)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    assert "__debug__" not in {node.id for node in names}


@pytest.mark.slow
def test_rules_are_refused_under_optimisation_too():
    files = [str(REPO / "tests" / "python" / f"{name}.py") for name in RULES]
    command = [sys.executable, "-O", "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    finished = subprocess.run(
        [*command, "-m", "not slow", "-W", "ignore::pytest.PytestConfigWarning"],
        cwd=REPO,
        env={**os.environ, "PYTHONPATH": str(REPO / "python_udfs")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout[-4000:]
    assert "passed" in finished.stdout
