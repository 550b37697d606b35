from pathlib import Path

import pytest
from support import TOKENIZER

from chunk_bakeoff.packaged import model_path


def test_a_package_that_ships_a_model():
    assert (model_path(TOKENIZER) / "tokenizer.json").is_file()


def test_a_folder(tmp_path, monkeypatch):
    assert model_path(str(tmp_path)) == tmp_path
    monkeypatch.setenv("HOME", str(tmp_path))
    assert model_path("~") == Path(tmp_path)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("package:no_such_model", "run: pip install no-such-model"),
        # A module, not a package.
        ("package:this", "is not installed"),
        ("package:hypothesis", "there is no folder"),
        ("/nowhere/at/all", "there is no folder /nowhere/at/all"),
    ],
)
def test_what_is_not_there(source, complaint):
    with pytest.raises(ValueError, match=complaint):
        model_path(source)
